import Primitives
import Testing

/// The vectors of the reference implementation: key 00 01 ... 0f, input 00 01 ... of each length.
struct SipHashTests {
  static let key = Secret(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)

  @Test(
    arguments: [
      (0, 0x726F_DB47_DD0E_0E31),
      (1, 0x74F8_39C5_93DC_67FD),
      (2, 0x0D6C_8009_D9A9_4F5A),
      (3, 0x8567_6696_D7FB_7E2D),
      (4, 0xCF27_94E0_2771_87B7),
      (5, 0x1876_5564_CD99_A68D),
      (6, 0xCBC9_466E_58FE_E3CE),
      (7, 0xAB02_00F5_8B01_D137),
      (8, 0x93F5_F579_9A93_2462),
      (9, 0x9E00_82DF_0BA9_E4B0),
      (10, 0x7A5D_BBC5_94DD_B9F3),
      (11, 0xF4B3_2F46_226B_ADA7),
      (12, 0x751E_8FBC_860E_E5FB),
      (15, 0xA129_CA61_49BE_45E5),
      (16, 0x3F2A_CC7F_57C2_9BDB),
      (31, 0x32D8_92FA_D841_C342),
      (32, 0x7127_512F_72F2_7CCE),
      (63, 0x958A_324C_EB06_4572),
    ] as [(UInt8, UInt64)])
  func hashesAsTheReferenceDoes(length: UInt8, expected: UInt64) {
    let input = [UInt8](0..<length)
    var hash = SipHash(key: Self.key)
    hash.combine(input.span)
    #expect(hash.finalize() == expected)
  }

  @Test func doesNotDependOnHowTheInputIsCut() {
    let input = [UInt8](0..<15)
    for cut in 0...15 {
      var hash = SipHash(key: Self.key)
      hash.combine(input.span.extracting(0..<cut))
      for byte in input[cut...] { hash.combine(byte) }
      #expect(hash.finalize() == 0xA129_CA61_49BE_45E5)
    }
  }

  @Test func takesNumbersLowestByteFirst() {
    var hash = SipHash(key: Self.key)
    hash.combine(0x0706_0504_0302_0100 as UInt64)
    #expect(hash.finalize() == 0x93F5_F579_9A93_2462)
  }

  @Test(arguments: [0, 63, 64, 127])
  func everyBitOfTheKeyMatters(bit: Int) {
    var key = Self.key
    if bit < 64 { key.first ^= 1 << UInt64(bit) } else { key.second ^= 1 << UInt64(bit - 64) }
    #expect(SipHash(key: key).finalize() != SipHash(key: Self.key).finalize())
  }
}
