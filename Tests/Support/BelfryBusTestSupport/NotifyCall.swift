public import BelfryBus

/// One call of `Notify` as a server got it.
public struct NotifyCall: Sendable {
    /// The caller's unique name.
    public var sender: String
    /// The eight of the specification; a missing one can't be: the bus checks the signature.
    public var arguments: [BusValue]
    /// What the server answered; 0 where that was an error, a lie or nothing.
    public var id: UInt32

    public var appName: String { arguments[0].string ?? "" }
    public var replaces: UInt32 { arguments[1].integer() ?? 0 }
    public var icon: String { arguments[2].string ?? "" }
    public var title: String { arguments[3].string ?? "" }
    public var body: String { arguments[4].string ?? "" }
    /// Key, label, key, label…
    public var actions: [String] { arguments[5].strings ?? [] }
    public var expiry: Int32 { arguments[7].integer() ?? 0 }
    /// With its type, without the variant around it.
    public func hint(_ name: String) -> BusValue? { arguments[6][name] }
    /// The form of the picture that a server draws which knows these forms; nil where it draws none.
    public func picture(drawnBy profile: ServerProfile) -> ServerProfile.PictureForm? {
        ServerProfile.PictureForm.allCases.first { form in
            guard profile.pictures.contains(form) else { return false }
            let path = hint("image-path")?.string
            return switch form {
            case .pixels: hint("image-data") != nil
            case .formerPixels: hint("image_data") != nil
            case .imageAddress: path.map { $0.hasPrefix("file://") } ?? false
            case .imagePath: path.map { $0.hasPrefix("/") } ?? false
            case .icon: !icon.isEmpty
            }
        }
    }

    /// Whether it asks for the place of another notice by a tag.
    public var hasTag: Bool {
        hintNames.contains { $0 == "synchronous" || $0.hasSuffix("-synchronous") || $0 == "x-dunst-stack-tag" }
    }
    public var hintNames: [String] {
        guard case .dictionary(_, _, let entries) = arguments[6] else { return [] }
        return entries.compactMap(\.key.string)
    }
}
