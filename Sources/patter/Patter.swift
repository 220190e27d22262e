@main
enum Patter {
  static func main() {}
}
