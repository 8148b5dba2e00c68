import Belfry
import BelfryGPSD
import BelfryGeoClue

/// The sources of location fixes. Only region requests need one, so nothing here is "missing".
extension Doctor {
    /// The timeout after which a source counts as absent.
    private static let timeout = Duration.seconds(1)

    /// Checks GeoClue and its agent, without requesting a location fix.
    func location() async -> Diagnostic {
        do throws(NoticeError) {
            guard let accuracy = try await GeoClueProvider(for: .command()).bestAccuracy(timeout: Self.timeout) else {
                return Diagnostic(
                    "location",
                    .absent,
                    "GeoClue replies, and allows it; it has no source of positions now",
                    advice: "Switch on Wi-Fi, or plug in a receiver.",
                    ["source": "geoclue", "accuracy": JSONValue.null]
                )
            }
            let detail = "GeoClue replies, and allows it; its best source is known to the level '\(accuracy)'"
            return Diagnostic("location", .ok, detail, ["source": "geoclue", "accuracy": "\(accuracy)"])
        } catch {
            let advice = "Only requests that wait for a region need it."
            let values = ["source": "geoclue", "code": error.code.rawValue]
            return Diagnostic("location", .absent, error.description, advice: advice, values)
        }
    }

    /// Checks gpsd on this machine.
    func receiver() async -> Diagnostic {
        do throws(NoticeError) {
            let server = try await GPSDProvider().findServer(timeout: Self.timeout)
            let isEmpty = server.receivers.isEmpty
            let receivers = isEmpty ? "no receiver" : server.receivers.joined(separator: ", ")
            return Diagnostic(
                "gpsd",
                isEmpty ? .absent : .ok,
                "gpsd \(server.release) replies; it has \(receivers)",
                advice: isEmpty ? "Plug one in, or name it to gpsd (/etc/default/gpsd)." : nil,
                ["release": server.release, "receivers": server.receivers]
            )
        } catch {
            let advice = "Only requests that wait for a region need it, and only where a receiver is their source."
            return Diagnostic("gpsd", .absent, error.description, advice: advice, ["code": error.code.rawValue])
        }
    }
}
