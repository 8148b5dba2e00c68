package import Belfry
package import BelfryBus

extension NoticeError {
    /// Creates the notice error for an error of the bus or of a program on it.
    package init(bus error: BusError) {
        let code: NoticeError.Code =
            switch error.code {
            case .noBus, .disconnected, .invalidAddress, .authenticationFailed: .noBus
            case .noOwner, .noReply: .noServer
            case .timedOut, .peerOverdue: .serverTimedOut
            case .limitsExceeded, .outgoingFull, .outOfMemory: .serverBusy
            case .closed, .cancelled: .backendStopped
            case .invalidValue, .invalidName, .invalidSignature, .tooLarge: .invalidContent
            default: .rejected
            }
        self.init(code, error.message, cause: error.cause ?? error.name)
    }
}
