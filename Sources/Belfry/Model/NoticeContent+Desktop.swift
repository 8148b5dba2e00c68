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

        /// What of a notice is shown while the screen is locked.
        public enum Privacy: String, Sendable, Codable, Hashable, CaseIterable {
            /// All of it, also where the desktop would hide the text.
            case visible
            /// That there is a notice, without its texts.
            case contentHidden
            /// Nothing.
            case hidden
        }

        /// How long the notice stays on the screen.
        public var expiry: Expiry
        /// True: not kept in the server's history once its time on the screen is over.
        public var isTransient: Bool
        /// True: stays after an action was chosen.
        public var isResident: Bool
        /// True: the user can't close it, as for something that goes on, where the desktop has such notices.
        public var isPersistent: Bool
        /// What is shown on the lock screen; the desktop's settings decide without it, and may hide more.
        public var privacy: Privacy?
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
            isPersistent: Bool = false,
            privacy: Privacy? = nil,
            category: String? = nil,
            hints: [String: Hint] = [:],
            appName: String? = nil
        ) {
            self.expiry = expiry
            self.isTransient = isTransient
            self.isResident = isResident
            self.isPersistent = isPersistent
            self.privacy = privacy
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
