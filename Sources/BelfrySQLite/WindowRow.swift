import Belfry

/// A window by its name, and what is kept of it, as a setting holds them.
struct WindowRow: Codable {
    var window: String
    var record: WindowRecord
}
