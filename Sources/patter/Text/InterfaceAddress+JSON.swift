import Primitives

extension InterfaceAddress {
  /// `interface`, `address` with its scope where it needs one, and `port`.
  var json: JSONObject {
    [
      "interface": JSONValue(interface), "address": .string(host),
      "port": .unsigned(UInt64(address.port)),
    ]
  }
}
