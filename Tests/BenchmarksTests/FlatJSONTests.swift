import Testing

@testable import Benchmarks

struct FlatJSONTests {
  @Test func readsNumbersTextsAndLists() {
    let object = FlatJSON(
      #"{"role":"server","rate":1234,"loss":0.5,"samples_us":[1,2,3],"none":[],"ok":true}"#)
    #expect(object?.text("role") == "server")
    #expect(object?.number("rate") == 1234 && object?.number("loss") == 0.5)
    #expect(object?.array("samples_us") == [1, 2, 3] && object?.array("none") == [])
    #expect(object?.number("missing") == nil && object?.text("rate") == nil)
  }

  @Test func keepsEscapesAsTheyStand() {
    #expect(FlatJSON(#"{"error":"a \"b\", c"}"#)?.text("error") == #"a \"b\", c"#)
  }

  @Test func readsAnEmptyObject() {
    #expect(FlatJSON("{}") != nil)
  }

  @Test(arguments: [
    "", "{", "}", "[1]", "text", #"{"a"}"#, #"{"a":}"#, #"{"a":1"#, #"{"a":[1}"#, #"{"a":"b}"#,
    #"{"a":1} "#, #"{"a":what}"#, #"{"a":[x]}"#,
  ])
  func refusesWhatIsNone(_ text: String) {
    #expect(FlatJSON(text) == nil)
  }
}
