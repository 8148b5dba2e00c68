import Belfry

extension AppIdentity {
    /// Who speaks where nobody else is named.
    static func command(_ name: String = "belfry") -> AppIdentity { AppIdentity(id: "org.belfry.belfry", name: name) }
}
