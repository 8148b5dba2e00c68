import Belfry
import BelfryGPSD
import BelfryGeoClue

/// Where positions can come from. Requests that wait for a place need one of them, others none: so nothing here is "missing".
extension Doctor {
    /// GeoClue and its agent, each answer within the limit. No position is asked for.
    func location(within limit: Duration = .seconds(1)) async -> DoctorFinding {
        do throws(NoticeError) {
            let accuracy = try await GeoClueProvider(for: .command()).look(within: limit)
            let best =
                accuracy.map { "its best source is known to the level '\($0)'" } ?? "it has no source of positions now"
            return DoctorFinding(
                check: "location",
                state: accuracy == nil ? .absent : .ok,
                detail: "GeoClue answers, and allows it; \(best)",
                advice: accuracy == nil ? "Switch on Wi-Fi, or plug in a receiver." : nil,
                values: ["source": "geoclue", "accuracy": accuracy.map { .string("\($0)") } ?? .null]
            )
        } catch {
            return DoctorFinding(
                check: "location",
                state: .absent,
                detail: error.description,
                advice: "Only requests that wait for a place need it.",
                values: ["source": "geoclue", "code": .string(error.code.rawValue)]
            )
        }
    }

    /// gpsd on this machine.
    func receiver(within limit: Duration = .seconds(1)) async -> DoctorFinding {
        do throws(NoticeError) {
            let server = try await GPSDProvider().look(within: limit)
            let receivers = server.receivers.isEmpty ? "no receiver" : server.receivers.joined(separator: ", ")
            return DoctorFinding(
                check: "gpsd",
                state: server.receivers.isEmpty ? .absent : .ok,
                detail: "gpsd \(server.release) answers; it has \(receivers)",
                advice: server.receivers.isEmpty ? "Plug one in, or name it to gpsd (/etc/default/gpsd)." : nil,
                values: [
                    "release": .string(server.release), "receivers": .array(server.receivers.map { .string($0) }),
                ]
            )
        } catch {
            return DoctorFinding(
                check: "gpsd",
                state: .absent,
                detail: error.description,
                advice: "Only requests that wait for a place need it, and only where a receiver is their source.",
                values: ["code": .string(error.code.rawValue)]
            )
        }
    }
}
