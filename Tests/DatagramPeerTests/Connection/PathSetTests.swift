import Primitives
import Testing

@testable import DatagramPeer

struct PathSetTests {
  private func path(_ host: UInt8, interface: UInt32 = 1) -> Path {
    Path(
      remote: SocketAddress(ip: IPAddress(192, 0, 2, host), port: 28_421), interface: interface)
  }

  private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  /// The path in use is the first; those up to `validatedCount` have answered as well.
  private func paths(validatedCount: UInt8 = 1, limit: Int = 4) -> PathSet {
    var paths = PathSet(active: path(1), limit: limit, at: at(0))
    for host in 1..<validatedCount {
      paths.noteProbe(on: path(host + 1), nonce: UInt64(host), at: at(0))
      #expect(paths.validate(path(host + 1), nonce: UInt64(host), at: at(0)) == true)
    }
    return paths
  }

  @Test("A path counts once its own nonce has come back from it")
  func nonce() {
    var paths = paths()
    paths.noteProbe(on: path(2), nonce: 5, at: at(0))
    #expect(paths.validate(path(2), nonce: 6, at: at(1)) == false)
    #expect(paths.validate(path(3), nonce: 5, at: at(1)) == false)
    #expect(paths.validated == [path(1)])
    #expect(!paths.isValidated(path(2).remote))
    #expect(paths.validate(path(2), nonce: 5, at: at(1)) == true)
    #expect(paths.validated == [path(1), path(2)])
    #expect(paths.isValidated(path(2).remote))
    // A nonce is good for once.
    #expect(paths.validate(path(2), nonce: 5, at: at(2)) == false)
  }

  @Test("Only the answer to the latest probe counts")
  func latestNonce() {
    var paths = paths()
    paths.noteProbe(on: path(2), nonce: 5, at: at(0))
    paths.noteProbe(on: path(2), nonce: 6, at: at(600))
    #expect(paths.validate(path(2), nonce: 5, at: at(601)) == false)
    #expect(paths.validate(path(2), nonce: 6, at: at(601)) == true)
  }

  @Test("An answer may come in by another interface, as it does on one host")
  func otherInterface() {
    var paths = paths()
    paths.noteProbe(on: path(2, interface: 1), nonce: 5, at: at(0))
    #expect(paths.validate(path(2, interface: 2), nonce: 5, at: at(1)) == true)
    #expect(paths.validated == [path(1), path(2, interface: 1)])
  }

  @Test("A path is probed at most twice a second, and not once it has answered")
  func probeInterval() {
    var paths = paths()
    #expect(!paths.needsProbe(path(1), at: at(0)))
    #expect(paths.needsProbe(path(2), at: at(0)))
    paths.noteProbe(on: path(2), nonce: 5, at: at(0))
    #expect(!paths.needsProbe(path(2), at: at(499)))
    #expect(paths.needsProbe(path(2), at: at(500)))
    #expect(paths.validate(path(2), nonce: 5, at: at(501)) == true)
    #expect(!paths.needsProbe(path(2), at: at(10_000)))
    // The same address by another interface is another path.
    #expect(paths.needsProbe(path(2, interface: 9), at: at(10_000)))
  }

  @Test("Of those that have not answered, the one that has waited longest gives way")
  func eviction() {
    var paths = paths()
    for host in UInt8(2)...5 {
      paths.noteProbe(on: path(host), nonce: UInt64(host), at: at(Int64(host)))
    }
    paths.noteHeard(path(2), isNewest: false, at: at(100))
    paths.noteProbe(on: path(6), nonce: 66, at: at(200))
    // 3 is gone, and its answer with it; the others are still waited for.
    #expect(paths.validate(path(3), nonce: 3, at: at(201)) == false)
    for (host, nonce) in [(UInt8(2), UInt64(2)), (4, 4), (6, 66)] {
      #expect(paths.validate(path(host), nonce: nonce, at: at(201)) == true)
    }
    #expect(paths.current == path(1))
  }

  @Test("No number of probes makes a path that has answered give way")
  func neverEvictedByProbes() {
    var paths = paths(validatedCount: 3)
    paths.noteHeard(path(3), isNewest: true, at: at(1))
    for host in UInt8(10)...30 {
      paths.noteProbe(on: path(host), nonce: UInt64(host), at: at(Int64(host)))
      #expect(paths.validated == [path(1), path(2), path(3)])
      #expect(paths.current == path(3))
    }
  }

  @Test("A peer that moves on and on keeps its newest paths, and the one in use")
  func moving() {
    var paths = paths()
    for host in UInt8(2)...9 {
      paths.noteProbe(on: path(host), nonce: UInt64(host), at: at(Int64(host)))
      #expect(paths.validate(path(host), nonce: UInt64(host), at: at(Int64(host))) == true)
    }
    #expect(paths.validated == [path(1), path(7), path(8), path(9)])
    #expect(paths.current == path(1))
  }

  @Test("Our own address on a path is the one that the peer sends to now")
  func ownAddress() {
    let (old, new) = (IPAddress(10, 0, 0, 3), IPAddress(10, 0, 0, 33))
    func path(from local: IPAddress?) -> Path {
      var path = self.path(1)
      path.local = local
      return path
    }
    var paths = PathSet(active: path(from: old), limit: 4, at: at(0))
    paths.keepLocals([old, new])
    #expect(paths.current == path(from: old))
    paths.keepLocals([new])
    #expect(paths.current == path(from: nil))
    paths.noteHeard(path(from: new), isNewest: false, at: at(1))
    #expect(paths.current == path(from: new))
    paths.noteLocal(of: path(from: old))
    #expect(paths.current == path(from: old))
  }

  @Test("With a limit of one, there is the one")
  func single() {
    var paths = paths(limit: 1)
    paths.noteProbe(on: path(2), nonce: 1, at: at(0))
    #expect(paths.validate(path(2), nonce: 1, at: at(1)) == true)
    #expect(paths.validated == [path(1)])
    #expect(paths.current == path(1))
  }

  @Test("A peer is followed to a path that has answered, by its newest packet only")
  func following() {
    var paths = paths(validatedCount: 2)
    paths.noteHeard(path(2), isNewest: false, at: at(1))
    #expect(paths.current == path(1))
    paths.noteHeard(path(9), isNewest: true, at: at(2))
    #expect(paths.current == path(1))
    paths.noteProbe(on: path(9), nonce: 9, at: at(3))
    paths.noteHeard(path(9), isNewest: true, at: at(4))
    #expect(paths.current == path(1))
    paths.noteHeard(path(2), isNewest: true, at: at(5))
    #expect(paths.current == path(2))
  }

  @Test("When the way goes silent, the other one that was heard last takes over")
  func switching() {
    var paths = paths(validatedCount: 3)
    paths.noteProbe(on: path(9), nonce: 9, at: at(50))
    paths.noteHeard(path(3), isNewest: false, at: at(10))
    paths.noteHeard(path(2), isNewest: false, at: at(20))
    paths.switchAway()
    #expect(paths.current == path(2))
    paths.switchAway()
    #expect(paths.current == path(3))
    var alone = self.paths()
    alone.switchAway()
    #expect(alone.current == path(1))
  }

  @Test("Where several fail, each has its turn, and one that is heard again is as good as new")
  func everyTurn() {
    var paths = paths(validatedCount: 4)
    // 1 and 4 end in one cable, and both were heard after 2 and 3.
    for host in [UInt8(3), 2, 4, 1] {
      paths.noteHeard(path(host), isNewest: true, at: at(Int64(10 - host)))
    }
    paths.noteHeard(path(1), isNewest: true, at: at(20))
    paths.noteHeard(path(4), isNewest: false, at: at(19))
    var turns: [UInt8] = []
    for _ in 0..<8 {
      paths.switchAway()
      turns.append(UInt8(truncatingIfNeeded: paths.current.remote.ip.low))
    }
    #expect(turns == [4, 2, 3, 1, 4, 2, 3, 1])
    paths.noteHeard(path(3), isNewest: false, at: at(30))
    paths.switchAway()
    #expect(paths.current == path(3))
  }
}
