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
