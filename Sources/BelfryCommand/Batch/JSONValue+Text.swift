import Belfry
import BelfryConsole
import BelfrySchedules

extension JSONValue {
    /// The value as JSON, shortened for a message.
    var clipped: String {
        var text = JSONText()
        text.value(self)
        return String(decoding: text.bytes, as: UTF8.self).clipped
    }
}
