import Belfry

/// The features of a server in plain words.
enum FeatureTexts {
    private static let words: [(feature: DeliveryCapabilities.Feature, word: String)] = [
        (.body, "texts under the title"), (.markup, "bold and italic text"), (.links, "links"),
        (.actions, "buttons"), (.reply, "a field for a reply"), (.icon, "icons"), (.image, "pictures"),
        (.progress, "progress bars"), (.sound, "sounds"), (.expiry, "the time on the screen that an app asks for"),
        (.persistence, "a list of past notices"), (.badge, "numbers on the app's icon"),
    ]

    static var all: Set<DeliveryCapabilities.Feature> { Set(words.map(\.feature)) }

    static func sentence(_ capabilities: DeliveryCapabilities) -> String {
        let has = words.filter { capabilities.features.contains($0.feature) }.map(\.word)
        let lacks = words.filter { !capabilities.features.contains($0.feature) }.map(\.word)
        var text = has.isEmpty ? "shows titles only" : "has \(has.joined(separator: ", "))"
        if !lacks.isEmpty { text += "; lacks \(lacks.joined(separator: ", "))" }
        if let limit = capabilities.bodyLimit { text += "; texts are cut to \(limit) characters" }
        if !capabilities.reportsClosing { text += "; it does not report when a notice is closed" }
        return text
    }

    static func names(_ features: Set<DeliveryCapabilities.Feature>) -> [String] { features.map(\.rawValue).sorted() }
}
