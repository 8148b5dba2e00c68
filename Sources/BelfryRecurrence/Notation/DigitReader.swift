/// Reads the digits and marks of dates, times and POSIX rules.
package struct DigitReader {
    var rest: ArraySlice<UInt8>

    package init(_ text: ArraySlice<UInt8>) { rest = text }

    package var isAtEnd: Bool { rest.isEmpty }

    /// Skips the next character if it is one of `characters`, and returns whether it did.
    package mutating func take(_ characters: Unicode.Scalar...) -> Bool {
        guard let byte = rest.first, characters.contains(where: { $0.value == UInt32(byte) }) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Reads a number of exactly `count` digits.
    package mutating func number(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads the digits after a decimal point. Digits finer than a nanosecond are read and ignored.
    package mutating func fraction() -> Double? {
        guard let first = digit() else { return nil }
        var nanoseconds = first * 100_000_000
        var unit = 10_000_000
        while let digit = digit() {
            nanoseconds += digit * unit
            unit /= 10
        }
        return Double(nanoseconds) / 1e9
    }

    /// Reads `Z`, `+01:00`, `-0530` or `+01`, in seconds east of UTC.
    package mutating func offset() -> Int? {
        if take("Z", "z") { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard take("+", "-"), let hours = number(2), hours < 24 else { return nil }
        var seconds = hours * 3600
        if !isAtEnd {
            _ = take(":")
            guard let minutes = number(2), minutes < 60 else { return nil }
            seconds += minutes * 60
        }
        return isWest ? -seconds : seconds
    }

    private mutating func digit() -> Int? {
        guard let byte = rest.first, byte.isDigit else { return nil }
        rest = rest.dropFirst()
        return Int(byte - UInt8(ascii: "0"))
    }
}
