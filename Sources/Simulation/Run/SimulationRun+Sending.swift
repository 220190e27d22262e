import ChatTransport
import DatagramPeer
import NetworkEmulator
import Primitives

extension SimulationRun {
  func send(_ sending: Action.Sending) {
    guard !isClosing[sending.host] else { return }
    network.withMachine(hosts[sending.host]) { machine, now in
      guard !machine.isSuspended else { return }
      for _ in 0..<sending.count {
        let isSent =
          if let draw = sending.peerDraw {
            send(sending, to: choose(draw, at: sending.host), over: &machine, at: now)
          } else {
            sendToEveryone(sending, over: &machine, at: now)
          }
        guard isSent else { return }
      }
    }
  }

  private func send(
    _ sending: Action.Sending, to end: Int?, over machine: inout SimulatedEndpoint,
    at now: Instant
  ) -> Bool {
    guard let end else { return false }
    let options = sending.options
    let key = Ledger.StreamKey(channel: options.channel, delivery: options.delivery)
    // What arrives in any order is not told with a number, and has to carry its own.
    let size =
      options.delivery == .reliable ? max(sending.size, Payload.numberedSize) : sending.size
    let isNumbered = size >= Payload.numberedSize
    let number = ledger.numbered.count
    let payload =
      isNumbered
      ? Payload.bytes(number: number, size: size)
      : Payload.bytes(
        channel: key.channel, delivery: key.delivery,
        sequence: UInt64(ledger.count(key, from: end)), size: size)
    do throws(SendError) {
      let receipt = try machine.endpoint.send(
        payload.span, to: .peer(ledger.ends[end].peer), options, at: machine.local(now))
      if isNumbered { ledger.numbered.append(Ledger.Numbered(key: key, size: size)) }
      ledger.append(
        key, id: receipt.id, number: isNumbered ? number : nil,
        hasAge: options.maximumAge != nil, from: end)
      if key.isReliable { machine.sabotage?.didSend(receipt.id, to: ledger.ends[end].peer) }
      return true
    } catch {
      note(error, sending)
      return false
    }
  }

  /// Only who has read all events knows who everyone is.
  private func sendToEveryone(
    _ sending: Action.Sending, over machine: inout SimulatedEndpoint, at now: Instant
  ) -> Bool {
    let host = sending.host
    guard machine.isRead, machine.sabotage == nil else { return false }
    read(&machine, at: host)
    let options = sending.options
    let key = Ledger.StreamKey(channel: options.channel, delivery: options.delivery)
    let number = ledger.numbered.count
    let size = max(sending.size, Payload.numberedSize)
    do throws(SendError) {
      let receipt = try machine.endpoint.send(
        Payload.bytes(number: number, size: size).span, to: .everyone, options,
        at: machine.local(now))
      ledger.numbered.append(Ledger.Numbered(key: key, size: size))
      var refused: [PeerID] = []
      while let event = machine.nextEvent() {
        if case .givenUp(receipt.id, let peer, .queueFull) = event { refused.append(peer) }
        observe(event, at: host)
      }
      let ends = ledger.open[host].filter { !refused.contains(ledger.ends[$0].peer) }
      for end in ends {
        ledger.append(
          key, id: receipt.id, number: number, hasAge: options.maximumAge != nil, from: end)
      }
      if receipt.recipients != ends.count {
        violations.add(
          "host \(host): sent to \(receipt.recipients) peers, of whom \(ends.count) are there")
      }
      return refused.isEmpty
    } catch {
      note(error, sending)
      return false
    }
  }

  /// A full queue and a peer that has left are part of life; anything else was asked for in error.
  private func note(_ error: SendError, _ sending: Action.Sending) {
    switch error {
    case .wouldBlock, .noSuchPeer: break
    case .tooLarge where sending.size > 1_024 && !sending.options.delivery.isReliable: break
    case .tooLarge, .closed, .unsupportedDelivery, .noSuchChannel, .unsupportedMaximumAge:
      violations.add("host \(sending.host): not sent: \(error)")
    }
  }
}
