import Belfry

extension BackendEvent {
    /// The event without the name of the backend in a chain that sent it.
    private var bare: BackendEvent { if case .from(_, let event) = self { event.bare } else { self } }

    /// The delivery that the event is about, if any.
    var reference: DeliveryReceipt.Reference? {
        switch bare {
        case .responded(let reference, _, _, _), .closed(let reference, _): reference
        default: nil
        }
    }

    /// A violation of a plug-in's contract, if the host reports one.
    var misbehavior: String? {
        guard case .error(let error) = bare, error.code == .pluginMisbehaved else { return nil }
        return error.message
    }

    var isResponse: Bool { if case .responded = bare { true } else { false } }
    var isClosing: Bool { if case .closed = bare { true } else { false } }
}
