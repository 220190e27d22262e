// An expectation that fails shows the parts of the values in it. There are machines in these that
// cannot be copied, and so not be shown: without this the whole run would end there, and the
// message with the seed be lost.

extension ChatLAN: CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension EndpointLAN: CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension Pair: CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: []) }
}
