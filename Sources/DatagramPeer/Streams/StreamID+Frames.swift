extension StreamChunkFrame {
  var stream: StreamID { StreamID(channel: channel, isOrdered: isOrdered) }
}

extension SkipFrame {
  var stream: StreamID { StreamID(channel: channel, isOrdered: isOrdered) }
}

extension StreamWindowFrame {
  var stream: StreamID { StreamID(channel: channel, isOrdered: isOrdered) }
}
