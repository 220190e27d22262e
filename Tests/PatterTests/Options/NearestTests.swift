import Testing

@testable import patter

struct NearestTests {
  private let options = ["name", "room", "connect", "no-discovery", "interface", "port", "json"]

  @Test(arguments: [
    ("rom", "room"), ("roon", "room"), ("orom", "room"), ("room", "room"), ("naem", "name"),
    ("conect", "connect"), ("conn", "connect"), ("nodiscovery", "no-discovery"),
    ("interfaec", "interface"), ("jsno", "json"), ("jason", "json"),
  ])
  func findsWhatWasMeant(typed: String, meant: String) {
    #expect(nearest(to: typed, among: options) == meant)
  }

  @Test(arguments: ["", "x", "verbose", "delivery", "ro-om-mate", "\u{1B}[31m"])
  func staysSilentWhereNothingIsNear(typed: String) {
    #expect(nearest(to: typed, among: options) == nil)
  }

  @Test func prefersTheNearerAndThenTheEarlier() {
    #expect(nearest(to: "port", among: ["sort", "port"]) == "port")
    #expect(nearest(to: "xort", among: ["sort", "port"]) == "sort")
  }
}
