import NetworkEmulator
import Primitives
import Testing

@testable import KernelWire

struct WireConfigurationTests {
  @Test func losesNothingAtTheBeginning() {
    let configuration = WireConfiguration(
      impairment: Impairment(loss: 0.1, delay: .milliseconds(25)))
    #expect(configuration.beginning == Impairment(delay: .milliseconds(25)))
  }

  @Test func letsImpairmentsTakeTurns() {
    let delays = [1, 2, 3].map { Impairment(loss: 0.5, delay: .milliseconds($0)) }
    let configuration = WireConfiguration(
      impairment: delays[0], losslessTime: .seconds(2),
      furtherImpairments: Array(delays.dropFirst()), turn: .milliseconds(100))
    let first = configuration.impairment(at: .milliseconds(1_999))
    #expect(first == Impairment(delay: .milliseconds(1)))
    let times: [Int64] = [2_000, 2_099, 2_100, 2_299, 2_300, 62_150]
    let places = times.map { configuration.impairment(at: .milliseconds($0)) }
    #expect(places == [0, 0, 1, 2, 0, 1].map { delays[$0] })
  }

  @Test func keepsTheOnlyImpairment() {
    let impairment = Impairment(loss: 0.5)
    let configuration = WireConfiguration(impairment: impairment)
    #expect([0, 1, 5_000].allSatisfy { configuration.impairment(at: .seconds($0)) == impairment })
  }

  @Test func numbersTheEndpointsFromOne() {
    #expect(WireConfiguration.address(of: 0) == "10.77.0.1")
    #expect(WireConfiguration.address(of: 1) == "10.77.0.2")
  }

  @Test func saysInOneLineWhyThereIsNoWire() {
    let error = SystemError(code: 13, call: "open", reason: "Permission denied")
    for failure in [WireError.noNamespaces(error), .noTunnels(error), .system(error)] {
      #expect(!failure.description.contains("\n"))
      #expect(failure.description.contains("Permission denied"))
    }
  }
}
