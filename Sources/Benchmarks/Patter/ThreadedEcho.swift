import ChatTransport
import Primitives
import SocketDriver
import UDPTransport
import Workloads

/// A conversation through the asynchronous face: both ends are tasks, and each message changes
/// threads twice at each end.
enum ThreadedEcho {
  static func serve(_ program: EchoProgram) throws(BenchmarkError) {
    let transport = try Threads.open(program.address, program.settings, calls: false)
    Threads.wait {
      for await event in transport.events {
        switch event {
        case .message(let message):
          let options = SendOptions(channel: message.channel, delivery: message.delivery)
          _ = try? await transport.send(message.payload, to: .peer(message.peer), options)
        case .peerLeft:
          await transport.close()
          return
        default: break
        }
      }
    }
  }

  static func dial(_ program: EchoProgram) throws(BenchmarkError) -> Samples {
    let transport = try Threads.open(program.address, program.settings, calls: true)
    let samples = Threads.wait {
      let samples = await converse(program, over: transport)
      await transport.close()
      return samples
    }
    guard samples.count == program.roundTrips else {
      throw .failed("echo-client", "the connection ended, or there was none")
    }
    return samples
  }

  private static func converse(
    _ program: EchoProgram, over transport: UDPTransport
  ) async -> Samples {
    let payload = [UInt8](repeating: 1, count: program.size)
    let warmUp = program.roundTrips / 10
    var samples = Samples()
    var count = 0
    var sentAt = Instant.zero
    for await event in transport.events {
      switch event {
      case .peerJoined: break
      case .message:
        if count >= warmUp {
          samples.append(UInt64(max(0, (SystemClock.now() - sentAt).nanoseconds)))
        }
        count += 1
        if samples.count == program.roundTrips { return samples }
      case .peerLeft, .closed: return samples
      default: continue
      }
      sentAt = SystemClock.now()
      _ = try? await transport.send(payload, to: .everyone, program.settings.options)
    }
    return samples
  }
}
