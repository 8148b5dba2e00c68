import Belfry
import BelfryBus
import Foundation

/// Reads whether the person wants to be left alone, wherever this server keeps it.
struct DesktopSilence {
    let session: NotificationsSession
    let limit: Duration
    /// Prints a key of GSettings; nil where it isn't installed.
    let settingsProgram: String?

    static let standardProgram = ["/usr/bin/gsettings", "/bin/gsettings", "/usr/local/bin/gsettings"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    func read(from source: KnownServer.SilenceSource, of owner: String) async -> DoNotDisturb {
        switch source {
        case .unknown: .unknown
        case .inhibited: await property("Inhibited", of: NotificationsSession.name, owner)
        case .dunst: await property("paused", of: "org.dunstproject.cmd0", owner)
        case .swaync:
            await truth(
                BusMethodCall(
                    to: "org.erikreider.swaync.cc",
                    "/org/erikreider/swaync/cc",
                    "org.erikreider.swaync.cc",
                    "GetDnd",
                    timeLimit: limit
                )
            )
        case .xfconf: await xfconf()
        case .settings(let schema, let key, let silence): await settings(schema, key, silence)
        }
    }

    private func property(_ name: String, of interface: String, _ owner: String) async -> DoNotDisturb {
        await truth(
            BusMethodCall(
                to: owner,
                NotificationsSession.path,
                "org.freedesktop.DBus.Properties",
                "Get",
                [.string(interface), .string(name)],
                timeLimit: limit
            )
        )
    }

    private func xfconf() async -> DoNotDisturb {
        let call = BusMethodCall(
            to: "org.xfce.Xfconf",
            "/org/xfce/Xfconf",
            "org.xfce.Xfconf",
            "GetProperty",
            [.string("xfce4-notifyd"), .string("/do-not-disturb")],
            timeLimit: limit
        )
        do throws(BusError) { return Self.silence(try await session.bus.call(call)) } catch {
            // What was never set is off, and not there.
            return error.name == "org.xfce.Xfconf.Error.PropertyNotFound" ? .off : .unknown
        }
    }

    private func truth(_ call: BusMethodCall) async -> DoNotDisturb {
        do throws(BusError) { return Self.silence(try await session.bus.call(call)) } catch { return .unknown }
    }

    private static func silence(_ values: [BusValue]) -> DoNotDisturb {
        guard values.count == 1, let isOn = values[0].boolean else { return .unknown }
        return isOn ? .on : .off
    }

    /// GSettings is read by its own program: reading it here would need GLib, and its library ends the process for a schema
    /// that isn't installed. The portal for settings doesn't give this one out.
    private func settings(_ schema: String, _ key: String, _ silence: String) async -> DoNotDisturb {
        guard let settingsProgram else { return .unknown }
        let text = await ChildOutput.firstLine(of: settingsProgram, ["get", schema, key], within: limit)
        guard let text, text == "true" || text == "false" else { return .unknown }
        return text == silence ? .on : .off
    }
}
