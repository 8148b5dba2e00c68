import Belfry
import BelfryTestSupport
import CBelfryPlugin
import Testing

@testable import BelfryPluginHost

/// Belfry's values for the numbers of belfry_plugin.h.
@Suite("What the numbers of a plug-in mean", .takesTurns)
struct PluginValuesTests {
    private func withText<Result>(_ text: String, _ body: (belfry_string) -> Result) -> Result {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { body(belfry_string(bytes: $0.baseAddress, length: $0.count)) }
        }
    }

    @Test(
        "A status is an error with its code; without words the plug-in is named",
        arguments: [
            (BELFRY_STATUS_FAILED_FOR_NOW, NoticeError.Code.failedForNow, true),
            (BELFRY_STATUS_NO_BUS, .noBus, true), (BELFRY_STATUS_NO_SERVER, .noServer, true),
            (BELFRY_STATUS_TIMED_OUT, .serverTimedOut, true), (BELFRY_STATUS_BUSY, .serverBusy, true),
            (BELFRY_STATUS_STOPPED, .backendStopped, true), (99, .failedForNow, true),
            (BELFRY_STATUS_FAILED, .rejected, false), (BELFRY_STATUS_REJECTED, .rejected, false),
            (BELFRY_STATUS_UNSUPPORTED, .unsupported, false), (BELFRY_STATUS_INVALID, .invalidContent, false),
            (BELFRY_STATUS_INTERNAL, .systemFailure, false), (4_242, .rejected, false),
        ]
    )
    func statuses(status: belfry_status, code: NoticeError.Code, isTransient: Bool) {
        let error = PluginDecoding.error(status, "", plugin: "mine")
        #expect(error.code == code && error.isTransient == isTransient)
        #expect(error.message == "The plug-in 'mine' failed with status \(status) and did not say why.")
        #expect(PluginDecoding.error(status, "No paper.", plugin: "mine").message == "No paper.")
    }

    @Test("Each loss names its feature, one of a later version a hint; without words its number is told")
    func losses() {
        let features: [(UInt32, DeliveryReceipt.LostFeature.Feature)] = [
            (BELFRY_LOST_OTHER, .hint), (BELFRY_LOST_TITLE_CUT, .title), (BELFRY_LOST_BODY_CUT, .body),
            (BELFRY_LOST_TEXT_REPAIRED, .controlCharacters), (BELFRY_LOST_BODY, .body), (BELFRY_LOST_MARKUP, .markup),
            (BELFRY_LOST_LINKS, .links), (BELFRY_LOST_ICON, .icon), (BELFRY_LOST_IMAGE, .image),
            (BELFRY_LOST_SOUND, .sound), (BELFRY_LOST_ACTIONS, .actions), (BELFRY_LOST_ACTIONS_CUT, .actions),
            (BELFRY_LOST_ACTION, .actions), (BELFRY_LOST_ACTION_ICON, .actions), (BELFRY_LOST_REPLY, .reply),
            (BELFRY_LOST_PROGRESS, .progress), (BELFRY_LOST_REPLACEMENT, .replacing), (BELFRY_LOST_HINT, .hint),
            (BELFRY_LOST_EXPIRY, .expiry), (BELFRY_LOST_LEVEL, .level), (BELFRY_LOST_LEVEL + 1, .hint),
        ]
        for (kind, feature) in features {
            var loss = belfry_loss()
            loss.kind = kind
            #expect(PluginDecoding.lost(loss) == DeliveryReceipt.LostFeature(feature, "kind \(kind)"))
            let told = withText("too long") { detail in
                loss.detail = detail
                return PluginDecoding.lost(loss)
            }
            #expect(told == DeliveryReceipt.LostFeature(feature, "too long"))
        }
    }

    @Test("Why a notice was closed, with the server's own number beside it")
    func closing() {
        let kinds: [(UInt32, NoticeResponse.CloseReason.Kind)] = [
            (BELFRY_CLOSED_UNDEFINED, .unknown), (BELFRY_CLOSED_EXPIRED, .expired),
            (BELFRY_CLOSED_DISMISSED, .dismissed), (BELFRY_CLOSED_WITHDRAWN, .withdrawn), (77, .unknown),
        ]
        for (reason, kind) in kinds {
            var event = belfry_event()
            (event.close_reason, event.raw_close_reason) = (reason, 9)
            #expect(PluginDecoding.closeReason(event) == NoticeResponse.CloseReason(kind, rawValue: 9))
        }
    }

    @Test("Each feature is one bit, and urgency needs none")
    func features() {
        let bits: [(UInt64, DeliveryCapabilities.Feature)] = [
            (BELFRY_FEATURE_BODY, .body), (BELFRY_FEATURE_MARKUP, .markup), (BELFRY_FEATURE_LINKS, .links),
            (BELFRY_FEATURE_BODY_IMAGES, .bodyImages), (BELFRY_FEATURE_ICON, .icon), (BELFRY_FEATURE_IMAGE, .image),
            (BELFRY_FEATURE_ACTIONS, .actions), (BELFRY_FEATURE_ACTION_ICONS, .actionIcons),
            (BELFRY_FEATURE_REPLY, .reply), (BELFRY_FEATURE_SOUND, .sound),
            (BELFRY_FEATURE_PERSISTENCE, .persistence), (BELFRY_FEATURE_PROGRESS, .progress),
            (BELFRY_FEATURE_REPLACEMENT, .replacing), (BELFRY_FEATURE_EXPIRY, .expiry),
        ]
        for (bit, feature) in bits {
            var server = belfry_server()
            server.features = bit
            #expect(PluginDecoding.capabilities(server).features == [feature, .urgency])
        }
        #expect(PluginDecoding.capabilities(belfry_server()).server == "an unnamed server")
    }

    @Test("A count of names that can only be a mistake is none, or as many as are read, and never a crash")
    func absurdCounts() {
        withText("body") { body in
            withText("1.2") { version in
                withUnsafePointer(to: body) { names in
                    var server = belfry_server()
                    (server.spec_version, server.features) = (version, BELFRY_FEATURE_BODY)
                    server.raw_capabilities = names
                    server.raw_capability_count = 1
                    #expect(PluginDecoding.capabilities(server).features.contains(.body))
                    // SIZE_MAX, which Swift reads as -1.
                    server.raw_capability_count = -1
                    #expect(!PluginDecoding.capabilities(server).features.contains(.body))
                }
            }
        }
        let nothing = PluginDecoding.list(
            nil as UnsafePointer<UnsafePointer<belfry_loss>?>?,
            count: 5
        )
        #expect(nothing.isEmpty)
        var losses: [UnsafePointer<belfry_loss>?] = [nil]
        #expect(PluginDecoding.list(&losses, count: 1).isEmpty, "NULL is skipped")
        #expect(PluginDecoding.list(&losses, count: -1).isEmpty)
    }

    @Test("A name with a slash is no name of a plug-in, and what was looked for is told")
    func names() {
        let path = PluginSearchPath(folders: ["/nowhere", "/nothing"])
        func message(_ name: String) -> String {
            do { return try path.file(of: name) } catch { return error.message }
        }
        for name in ["", "a/b", "a\0"] {
            #expect(message(name) == "'\(name)' is not a plug-in's name: give a name without slashes, or a path.")
        }
        #expect(message("x") == "There is no plug-in 'x': /nowhere/x.so, /nothing/x.so don't exist.")
    }
}
