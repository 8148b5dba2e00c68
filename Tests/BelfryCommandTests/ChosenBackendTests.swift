import Belfry
import BelfryRecorder
import BelfryTestSupport
import Foundation
import Testing

@testable import BelfryCommand

@Suite("What a command knows of its backend", .takesTurns)
struct ChosenBackendTests {
    private static let app = AppIdentity(id: "org.example.Command")

    private func chosen(_ name: BackendName, needsDesktop: Bool = false) throws -> ChosenBackend {
        try ChosenBackend(name, for: Self.app, try CapturedOutput().output, needsDesktop: needsDesktop)
    }

    private func receipt(_ backend: String) -> DeliveryReceipt { DeliveryReceipt(backend: backend, handle: "1") }

    @Test("Desktops can be answered, a console without keys can't")
    func answers() throws {
        let auto = try chosen(.auto)
        for backend in ["dbus", "portal", "libnotify"] {
            #expect(auto.acceptsResponses(receipt(backend)) && !auto.isConsole(receipt(backend)), "\(backend)")
        }
        #expect(auto.isConsole(receipt("console")))
        #expect(!ChosenBackend(backend: RecorderBackend(name: "console")).acceptsResponses(receipt("console")))
    }

    @Test("The console is noted where it stands in for a desktop, not where it was asked for")
    func notes() throws {
        let note = try chosen(.auto).note(on: receipt("console"))
        #expect(note == "no desktop: writing to the console. See 'belfry doctor'.")
        #expect(try chosen(.auto).note(on: receipt("dbus")) == nil)
        #expect(try chosen(.console).note(on: receipt("console")) == nil)
    }

    @Test("What needs a desktop has no console to fall back to")
    func needsDesktop() throws {
        #expect(try chosen(.auto, needsDesktop: true).console == nil)
        let asked = try chosen(.console, needsDesktop: true)
        #expect(asked.console != nil && asked.backend.name == "console")
        #expect(try chosen(.dbus).backend.name == "dbus")
    }
}
