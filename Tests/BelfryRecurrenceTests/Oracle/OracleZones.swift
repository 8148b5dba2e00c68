/// Zones with every oddity there is, and some ordinary ones.
enum OracleZones {
    static let names = [
        "Africa/Cairo", "Africa/Casablanca", "Africa/El_Aaiun", "Africa/Monrovia", "Africa/Windhoek",
        "America/Anchorage",
        "America/Asuncion", "America/Caracas", "America/Chicago", "America/Havana", "America/Los_Angeles",
        "America/Mexico_City", "America/New_York", "America/Nuuk", "America/Phoenix", "America/Santiago",
        "America/Sao_Paulo", "America/St_Johns", "Antarctica/Casey", "Antarctica/Troll", "Asia/Amman", "Asia/Beirut",
        "Asia/Dhaka", "Asia/Gaza", "Asia/Jerusalem", "Asia/Kathmandu", "Asia/Kolkata", "Asia/Manila", "Asia/Pyongyang",
        "Asia/Tehran", "Asia/Tokyo", "Atlantic/Azores", "Australia/Adelaide", "Australia/Eucla", "Australia/Lord_Howe",
        "Australia/Sydney", "Europe/Berlin", "Europe/Dublin", "Europe/Istanbul", "Europe/Lisbon", "Europe/London",
        "Europe/Moscow", "Pacific/Apia", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Easter", "Pacific/Fakaofo",
        "Pacific/Kiritimati", "Pacific/Kwajalein", "Pacific/Marquesas", "Pacific/Norfolk", "Pacific/Tongatapu", "UTC",
    ]
}
