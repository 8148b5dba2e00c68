/// The keys of the three forms that product teams keep such lists in.
enum FormKeys {
    static let a = KeySet(name: "form A", keys: ["time", "day", "date", "repeat", "occurrence", "title", "msg"])
    static let b = KeySet(
        name: "form B",
        keys: ["time", "day", "date", "repeat", "interval", "endRepeat", "title", "msg"]
    )
    static let end = KeySet(name: "endRepeat", keys: ["date", "months", "weeks", "days", "repeatCount"])
    static let c = KeySet(name: "form C", keys: ["id", "type", "data"])
    static let data = KeySet(name: "data", keys: ["start", "interval", "occurrence", "translations"])
    static let translation = KeySet(name: "translation", keys: ["title", "msg"])
}
