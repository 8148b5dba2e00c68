extension NoticeContent {
    /// Settings that only notification servers of the freedesktop specification support.
    ///
    /// Servers support different features. Each gets what it supports, and ``DeliveryReceipt/lost`` lists the rest.
    ///
    /// ```swift
    /// var content = NoticeContent(title: "Volume 40 %")
    /// content.desktop.isTransient = true
    /// content.desktop.hints["x-canonical-private-synchronous"] = .string("volume")
    /// ```
    public struct Desktop: Sendable, Hashable {
        /// How long a notice stays on the screen; some desktops (GNOME) ignore it.
        public enum Expiry: Sendable, Codable, Hashable {
            /// The server decides.
            case serverDefault
            /// Until the user closes it or responds.
            case never
            /// This long; more than 0 and at most 24 days, in whole milliseconds.
            case after(Duration)
        }

        /// What is shown of a notice while the screen is locked.
        public enum Privacy: String, Sendable, Codable, Hashable, CaseIterable {
            /// The whole notice, even if the desktop would hide the text.
            case visible
            /// The notice without its texts.
            case contentHidden
            /// Nothing is shown.
            case hidden
        }

        /// How long the notice stays on the screen.
        public var expiry: Expiry
        /// True: the server does not keep the notice after its time on the screen.
        public var isTransient: Bool
        /// True: the notice stays after the user has chosen an action.
        public var isResident: Bool
        /// True: the user can't close the notice, such as one for an ongoing activity, if the desktop supports that.
        public var isPersistent: Bool
        /// What is shown on the lock screen; nil leaves it to the desktop's settings, which may also hide more.
        public var privacy: Privacy?
        /// A category of the freedesktop specification, such as `im.received`.
        public var category: String?
        /// Hints that Belfry has no field for, by name. If a hint of the specification has the wrong type, `add`
        /// converts the value if it can, or refuses it (``NoticeError/Code/invalidContent``). Some servers never reply
        /// to such a call.
        public var hints: [String: Hint]
        /// The app name that the notice shows, for tools that notify on behalf of others; nil uses the app's.
        public var appName: String?

        /// Creates settings; the defaults leave each one to the server.
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
