#if CommandLine
import ArgumentParser
import Belfry
import BelfrySchedules
import FoundationEssentials

struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        // Parsed by itself, it looks for no request for a completion script, which is the root's.
        _superCommandName: "belfry",
        abstract: "Show a notice now. Understands the flags of notify-send.",
        discussion: """
            belfry send 'Backup done' '12 GB in 4 minutes' -i drive-harddisk
            belfry send -u critical 'Battery low'
            answer=$(belfry send 'Restart now?' -A yes=Yes -A no='Not now')
            id=$(belfry send -p Copying --progress 10%)
            belfry send -r $id Copying --progress 60%

            The body is plain text unless --markup is given. With -w or -A the command waits until the notice is \
            closed, but no longer than -t.
            """,
        version: Release.version,
        helpNames: .long
    )

    @Argument(help: "The title.")
    var title: String?

    @Argument(help: "The body; \\n begins a new line.")
    var body: String?

    @Flag(name: [.customShort("p"), .long], help: "Print the notice's number.")
    var printId = false

    @Option(name: .letter("r"), help: .init("The number of the notice to replace.", valueName: "id"))
    var replaceId: String?

    @Flag(name: [.customShort("w"), .long], help: "Wait until the notice is closed.")
    var wait = false

    @Flag(name: .customShort("v"), help: "Print the version.")
    var printsVersion = false

    /// As in notify-send. It is not one of the parser's help names: in fish completions `?` is a wildcard.
    @Flag(name: .customShort("?"), help: .hidden)
    var printsHelp = false

    @OptionGroup(title: "File descriptors")
    var descriptors: DescriptorOptions

    @OptionGroup(title: "Content")
    var content: ContentOptions

    @OptionGroup(title: "Delivery")
    var delivery: BackendOptions

    @OptionGroup
    var output: OutputOptions

    func run() async throws {
        let output = output.writer
        guard !printsHelp else { throw CleanExit.helpRequest(self) }
        guard !printsVersion else { return try output.plain("belfry \(Release.version)") }
        guard let title else { throw NoticeError.usage("send lacks the title; write belfry send 'Backup done'.") }
        let name = try delivery.name()
        let app = try content.app()
        let request = NoticeRequest(
            id: "send-\(UUID().uuidString.lowercased())",
            content: try content.content(title: title, body: body)
        )
        let replaced = try numberToReplace()
        let needsDesktop =
            name == .auto && (printId || wait || descriptors.idFd != nil || asksForButtons || output.json)
        let chosen = try ChosenBackend(
            name,
            for: app,
            output,
            hasResults: output.json || printId || asksForButtons,
            needsDesktop: needsDesktop,
            listens: wait || asksForButtons || content.snooze
        )
        let sending = Sending(
            request: request,
            printsNumber: printId,
            waits: wait,
            output: output,
            chosen: chosen,
            descriptors: (descriptors.idFd, descriptors.selectedActionFd, descriptors.activationTokenFd)
        )
        let ending: SendEnding?
        do {
            let store = MemoryRequestStore()
            if let replaced { try await Self.store(replaced, as: request, of: chosen.backend, in: store) }
            let center = NoticeCenter(app: app, backend: chosen.backend, store: NoticeStore(store))
            ending = try await center.runInterruptibly { center in try await sending.perform(center) }
        } catch NoticeError.Code.emptyContent {
            // The center's error names the request's identifier, which was made here.
            throw NoticeError(.emptyContent, "The notice has no text: give it a title or a body.")
        } catch let error as NoticeError where needsDesktop && Self.noDesktop.contains(error.code) {
            throw NoticeError(
                error.code,
                "Nothing can show the notice, and -p, -A, -w, --id-fd and --json need what can: \(error) With "
                    + "--backend console it is written here; 'belfry doctor' says what is missing."
            )
        }
        guard ending?.kind == .serverGone else { return }
        throw NoticeError(
            .noServer,
            "The notification server went away while the notice waited, and the notice with it: send it again when the "
                + "server is back; see 'belfry doctor'."
        )
    }

    private var asksForButtons: Bool { !content.action.isEmpty }

    private static let noDesktop: [NoticeError.Code] = [.noBus, .noServer]

    /// Returns the number; nil for 0, as in notify-send.
    private func numberToReplace() throws(NoticeError) -> String? {
        guard let replaceId, replaceId != "0" else { return nil }
        guard let number = UInt32(replaceId) else {
            throw .unreadable("--replace-id: '\(replaceId.clipped)' is no number of a notice; send -p prints it.")
        }
        return String(number)
    }

    /// Stores the notice of an earlier process as a delivery of this request, so that it is replaced in place.
    private static func store(
        _ number: String,
        as request: NoticeRequest,
        of backend: any DeliveryBackend,
        in store: MemoryRequestStore
    ) async throws {
        let now = SystemTriggerClock().now()
        let probe = try await BackendProbe.query(backend)
        try await store.commit([
            .putDelivery(
                DeliveryRecord(
                    id: "earlier",
                    requestID: request.id,
                    revision: 0,
                    dueAt: now,
                    shownAt: now,
                    receipt: DeliveryReceipt(backend: probe.backend, handle: number, server: probe.server),
                    traits: DeliveryTraits(request)
                )
            )
        ])
    }
}
#endif
