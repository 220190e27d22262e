import Primitives
import Testing

struct CubeRootTests {
  /// Roots to 60 digits, rounded to the nearest number.
  @Test(
    "Roots that were computed with 60 digits",
    arguments: [
      (2, 1.2599210498948732), (3, 1.4422495703074083), (0.1, 0.4641588833612779),
      (0.5, 0.7937005259840998), (10, 2.154434690031884), (100, 4.641588833612779),
      (250, 6.299605249474366), (1_875, 12.33106037165235), (123_456.789, 49.793385921817446),
      (-2.5, -1.3572088082974534), (1e300, 1e100), (1e-300, 1e-100),
      (1.7976931348623157e308, 5.643803094122362e102),
      (.leastNormalMagnitude, 2.812644285236262e-103),
      (.leastNonzeroMagnitude, 1.7031839360032603e-108),
      (7.999999999999999, 2), (1.0000000000000002, 1),
    ] as [(Double, Double)])
  func vectors(value: Double, root: Double) {
    #expect(abs(cubeRoot(value) - root) <= root.ulp.magnitude, "\(cubeRoot(value))")
  }

  @Test("The root of a cube is exact, at every scale")
  func cubes() {
    var wrong: [Double] = []
    for count in 1...10_000 {
      let root = Double(count)
      let scale = Double(sign: .plus, exponent: count % 600 - 300, significand: 1)
      let small = root * root * root * scale * scale * scale
      if cubeRoot(small) != root * scale || cubeRoot(-small) != -root * scale { wrong.append(root) }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(10))")
  }

  @Test("These bits come out on every machine")
  func bits() {
    var sum: UInt64 = 0
    for count in 1...1_000 { sum = sum &* 31 &+ cubeRoot(Double(count) * 0.37).bitPattern }
    #expect(sum == 13_510_982_405_954_653_713)
  }

  @Test("What has no root of its own comes back")
  func special() {
    #expect(cubeRoot(0) == 0)
    #expect(cubeRoot(-0.0).sign == .minus)
    #expect(cubeRoot(.infinity) == .infinity)
    #expect(cubeRoot(-.infinity) == -.infinity)
    #expect(cubeRoot(.nan).isNaN)
  }
}
