extension NoticeContent {
    /// The wishes that only notification servers of the freedesktop specification know.
    ///
    /// Servers differ. Each one gets what it supports, and ``DeliveryReceipt/lost`` lists the rest.
    ///
    /// ```swift
    /// var content = NoticeContent(title: "Volume 40 %")
    /// content.desktop.isTransient = true
    /// content.desktop.hints["x-canonical-private-synchronous"] = .string("volume")
    /// ```
    public struct Desktop: Sendable, Hashable {
        /// How long a notice stays on the screen; some desktops (GNOME) decide that themselves.
        public enum Expiry: Sendable, Codable, Hashable {
            /// As long as the server likes.
            case serverDefault
            /// Until the user closes it or responds.
            case never
            /// For so long; over 0, in whole milliseconds.
            case after(Duration)
        }

        /// How long the notice stays on the screen.
        public var expiry: Expiry
        /// True: not kept in the server's history once its time on the screen is over.
        public var isTransient: Bool
        /// True: stays after an action was chosen.
        public var isResident: Bool
        /// A category of the freedesktop specification, such as `im.received`.
        public var category: String?
        /// Hints that Belfry has no field for, by their names. One of the specification that has another type than it
        /// says is converted where the value allows it, else refused by `add` (``NoticeError/Code/invalidContent``):
        /// some servers never reply to such a call.
        public var hints: [String: Hint]
        /// The name under which the notice appears, as for a tool that notifies for others; nil takes the app's.
        public var appName: String?

        /// Creates wishes; each default leaves the matter to the server.
        public init(
            expiry: Expiry = .serverDefault,
            isTransient: Bool = false,
            isResident: Bool = false,
            category: String? = nil,
            hints: [String: Hint] = [:],
            appName: String? = nil
        ) {
            self.expiry = expiry
            self.isTransient = isTransient
            self.isResident = isResident
            self.category = category
            self.hints = hints
            self.appName = appName
        }
    }

    /// A hint of the freedesktop specification, or of one server, that Belfry has no field for.
    public enum Hint: Sendable, Codable, Hashable {
        /// D-Bus type `b`.
        case bool(Bool)
        /// D-Bus type `y`.
        case byte(UInt8)
        /// D-Bus type `i`.
        case int(Int32)
        /// D-Bus type `x`.
        case int64(Int64)
        /// D-Bus type `u`.
        case uint(UInt32)
        /// D-Bus type `d`.
        case double(Double)
        /// D-Bus type `s`.
        case string(String)
    }
}
