/// The control characters of ECMA-48 that are sent to and read from terminals.
package enum ASCII {
    package static let bell: UInt8 = 0x07
    package static let newline: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
    package static let cancel: UInt8 = 0x18
    package static let substitute: UInt8 = 0x1A
    package static let escape: UInt8 = 0x1B
    /// ST in seven bits, which does not depend on the terminal's character set.
    package static let stringTerminator: [UInt8] = [escape, UInt8(ascii: "\\")]
    package static let deviceControl: [UInt8] = [escape, UInt8(ascii: "P")]
}
