import Primitives
import Testing

@testable import DatagramPeer

/// How one who sends nothing but acknowledgements finds out which of them have arrived.
struct AcknowledgementWitnessTests {
  private func said(_ ranges: ClosedRange<UInt64>...) -> Acknowledgement {
    Acknowledgement(delay: .zero, ranges: ranges)
  }

  @Test func tellTheNewestThatArrived() {
    var witnesses = AcknowledgementWitnesses()
    for number in UInt64(10)..<13 { witnesses.note(number, acknowledging: number * 10) }
    #expect(witnesses.take(said(0...11)) == 111)
    #expect(witnesses.take(said(0...11)) == 0)
    #expect(witnesses.take(said(0...12)) == 121)
  }

  @Test func tellNothingOfThoseThatWereLost() {
    var witnesses = AcknowledgementWitnesses()
    for number in UInt64(10)..<13 { witnesses.note(number, acknowledging: number * 10) }
    #expect(witnesses.take(said(12...20, 0...10)) == 121)
    #expect(witnesses.take(said(0...20)) == 0)
  }

  @Test func takeNoMoreThanTheirPlaces() {
    var witnesses = AcknowledgementWitnesses()
    for number in UInt64(0)..<100 { witnesses.note(number, acknowledging: number) }
    #expect(witnesses.take(said(0...99)) == 4)
    witnesses.note(100, acknowledging: 100)
    #expect(witnesses.take(said(0...100)) == 101)
  }

  @Test func acknowledgementsThatWentAloneAreKnownToHaveArrived() {
    var driver = LossRecoveryDriver()
    let number = driver.send([], at: LossRecoveryDriver.ms(0), acknowledging: 77)
    driver.acknowledge(number...number, at: LossRecoveryDriver.ms(40))
    #expect(driver.outcome.largestAcknowledgementHeard == 77)
  }

  @Test func oneWithManyRangesIsAnsweredAlongWithTheNextPacket() {
    var packets = ReceivedPackets()
    packets.insert(1, isAckEliciting: false, at: .zero)
    packets.noteAcknowledgement(said(6...9, 1...4), roundTrip: .zero, at: .zero)
    #expect(!packets.owesAcknowledgement)
    let long = said(8...9, 5...6, 1...3)
    packets.noteAcknowledgement(long, roundTrip: .zero, at: .zero)
    #expect(packets.owesAcknowledgement && packets.acknowledgementDeadline == nil)
    func write(at now: Instant) -> Bool {
      !WireBytes.written { packets.writeAcknowledgement(upTo: 1_200, into: &$0, at: now) }.isEmpty
    }
    #expect(write(at: .zero))
    // What is on its way does not know of it for a round trip.
    let (early, late) = (Instant.zero + .milliseconds(49), Instant.zero + .milliseconds(50))
    packets.noteAcknowledgement(long, roundTrip: .milliseconds(50), at: early)
    #expect(!write(at: early))
    packets.noteAcknowledgement(long, roundTrip: .milliseconds(50), at: late)
    #expect(write(at: late))
  }
}
