/// One sentence of NMEA 0183 with a correct checksum: `$GPGGA,…*47`.
struct NMEASentence {
    enum ParsingError: Error { case noSentence, badChecksum }

    /// The last three characters of its address: the type of the sentence, without the talker.
    let kind: String
    private let fields: [ArraySlice<UInt8>]

    static func parse(_ line: ArraySlice<UInt8>) -> Result<NMEASentence, ParsingError> {
        let start = line.drop { $0 <= 32 }
        guard start.first == UInt8(ascii: "$") || start.first == UInt8(ascii: "!") else { return .failure(.noSentence) }
        let body = start.dropFirst().prefix { $0 != UInt8(ascii: "*") }
        let sum = start[body.endIndex...].dropFirst()
        guard sum.count >= 2, let high = digit(sum.first), let low = digit(sum.dropFirst().first),
            sum.dropFirst(2).allSatisfy({ $0 <= 32 }), body.reduce(0, ^) == high << 4 | low
        else { return .failure(.badChecksum) }
        let fields = body.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard let address = fields.first, address.count >= 3 else { return .failure(.noSentence) }
        return .success(NMEASentence(kind: String(decoding: address.suffix(3), as: UTF8.self), fields: fields))
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        byte.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map { UInt8($0) }
    }

    /// The text of a field, by its number; empty if there is none.
    subscript(_ index: Int) -> String {
        fields.indices.contains(index) ? String(decoding: fields[index], as: UTF8.self) : ""
    }

    /// A field of one to nine digits; nil for anything else.
    func number(_ index: Int) -> Int? {
        guard fields.indices.contains(index), (1...9).contains(fields[index].count) else { return nil }
        var number = 0
        for byte in fields[index] {
            guard (48...57).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 48)
        }
        return number
    }

    /// A field of digits with or without a decimal point, without sign or exponent.
    func decimal(_ index: Int) -> Double? {
        guard fields.indices.contains(index), (1...20).contains(fields[index].count),
            fields[index].allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(self[index])
    }

    /// A field `hhmmss.ss` in seconds since midnight.
    func timeOfDay(_ index: Int) -> Double? {
        guard let number = decimal(index), number < 240_000 else { return nil }
        let whole = Int(number)
        let (hour, minute, second) = (whole / 10_000, whole / 100 % 100, whole % 100)
        // A leap second counts as the beginning of the next minute.
        guard minute < 60, second <= 60 else { return nil }
        return Double(hour * 3600 + minute * 60 + second) + (number - Double(whole))
    }

    /// The coordinates in four fields from `index` on: `ddmm.mmmm,N,dddmm.mmmm,E`.
    func coordinates(_ index: Int) -> (latitude: Double, longitude: Double)? {
        guard let latitude = degrees(index, positive: "N", negative: "S"), latitude.magnitude <= 90,
            let longitude = degrees(index + 2, positive: "E", negative: "W"), longitude.magnitude <= 180
        else { return nil }
        return (latitude, longitude)
    }

    private func degrees(_ index: Int, positive: String, negative: String) -> Double? {
        guard let number = decimal(index), number < 100_000, self[index + 1] == positive || self[index + 1] == negative
        else { return nil }
        let whole = Int(number / 100)
        let minutes = number - Double(whole * 100)
        guard minutes < 60 else { return nil }
        let degrees = Double(whole) + minutes / 60
        return self[index + 1] == negative ? -degrees : degrees
    }
}
