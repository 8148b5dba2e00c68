import BelfryRecurrence

extension SentenceWords {
    static let english = SentenceWords(
        weekdays: CalendarNames.weekdays,
        months: CalendarNames.months,
        ordinals: ["first", "second", "third", "fourth", "fifth", "last"],
        and: " and ",
        daily: "every day",
        everyDays: "every {n} days",
        workdays: "every weekday",
        weekly: "every {days}",
        everyWeeks: "every {n} weeks on {days}",
        monthly: "on {days} of each month",
        everyMonths: "every {n} months on {days}",
        yearly: "every year on {days}",
        everyYears: "every {n} years on {days}",
        dayNumber: { "the \($0)\(englishSuffix($0))" },
        lastDay: "the last day",
        nthWeekday: "the {ordinal} {day}",
        dayOfMonth: "{day} of {month}",
        atTimes: " at {times}",
        once: "on {date} at {time}",
        from: ", from {date}",
        until: ", until {date}",
        dateAndTime: "{date} at {time}",
        oneTime: ", once",
        manyTimes: ", {n} times",
        hour: Unit(each: "every hour", one: "1 hour", many: "{n} hours"),
        minute: Unit(each: "every minute", one: "1 minute", many: "{n} minutes"),
        second: Unit(each: "every second", one: "1 second", many: "{n} seconds"),
        every: "every {span}",
        after: "once, after {span}",
        startsNow: ", beginning at once"
    )

    private static func englishSuffix(_ number: Int) -> String {
        if (11...13).contains(number % 100) { return "th" }
        switch number % 10 {
        case 1: return "st"
        case 2: return "nd"
        case 3: return "rd"
        default: return "th"
        }
    }

    static let german = SentenceWords(
        weekdays: ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"],
        months: [
            "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
            "November", "Dezember",
        ],
        ordinals: ["ersten", "zweiten", "dritten", "vierten", "fünften", "letzten"],
        and: " und ",
        daily: "jeden Tag",
        everyDays: "alle {n} Tage",
        // A "Werktag" may be a Saturday.
        workdays: "montags bis freitags",
        weekly: "jeden {days}",
        everyWeeks: "alle {n} Wochen {days}",
        onWeekday: "am {day}",
        monthly: "am {days} jedes Monats",
        everyMonths: "alle {n} Monate am {days}",
        yearly: "jedes Jahr am {days}",
        everyYears: "alle {n} Jahre am {days}",
        dayNumber: { "\($0)." },
        lastDay: "letzten Tag",
        nthWeekday: "{ordinal} {day}",
        dayOfMonth: "{day} im {month}",
        dateNumber: { "\($0)." },
        atTimes: " um {times} Uhr",
        once: "am {date} um {time} Uhr",
        from: ", ab dem {date}",
        until: ", bis zum {date}",
        dateAndTime: "{date} um {time} Uhr",
        oneTime: ", einmal",
        manyTimes: ", {n}-mal",
        hour: Unit(each: "jede Stunde", one: "1 Stunde", many: "{n} Stunden"),
        minute: Unit(each: "jede Minute", one: "1 Minute", many: "{n} Minuten"),
        second: Unit(each: "jede Sekunde", one: "1 Sekunde", many: "{n} Sekunden"),
        every: "alle {span}",
        after: "einmal, nach {span}",
        startsNow: ", zum ersten Mal sofort"
    )

    static let french = SentenceWords(
        weekdays: ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"],
        months: [
            "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
            "novembre", "décembre",
        ],
        ofMonths: [
            "de janvier", "de février", "de mars", "d’avril", "de mai", "de juin", "de juillet", "d’août",
            "de septembre", "d’octobre", "de novembre", "de décembre",
        ],
        ordinals: ["premier", "deuxième", "troisième", "quatrième", "cinquième", "dernier"],
        and: " et ",
        daily: "chaque jour",
        everyDays: "tous les {n} jours",
        workdays: "du lundi au vendredi",
        weekly: "{days}",
        eachWeekday: "chaque {day}",
        everyWeeks: "toutes les {n} semaines {days}",
        onWeekday: "le {day}",
        monthly: "{days} de chaque mois",
        everyMonths: "tous les {n} mois {days}",
        yearly: "chaque année {days}",
        everyYears: "tous les {n} ans {days}",
        dayNumber: { "le \($0)\($0 == 1 ? "er" : "")" },
        lastDay: "le dernier jour",
        nthWeekday: "le {ordinal} {day}",
        dayOfMonth: "{day} {month}",
        dayAndMonth: "le {day} {month}",
        dateNumber: { "\($0)\($0 == 1 ? "er" : "")" },
        atTimes: " à {times}",
        once: "le {date} à {time}",
        from: ", à partir du {date}",
        until: ", jusqu’au {date}",
        dateAndTime: "{date} à {time}",
        oneTime: ", une fois",
        manyTimes: ", {n} fois",
        hour: Unit(each: "toutes les heures", one: "1 heure", many: "{n} heures"),
        minute: Unit(each: "toutes les minutes", one: "1 minute", many: "{n} minutes"),
        second: Unit(each: "toutes les secondes", one: "1 seconde", many: "{n} secondes"),
        every: "toutes les {span}",
        after: "une fois, après {span}",
        startsNow: ", la première fois tout de suite"
    )

    static let spanish = SentenceWords(
        weekdays: ["domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"],
        months: [
            "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
            "noviembre", "diciembre",
        ],
        ordinals: ["primer", "segundo", "tercer", "cuarto", "quinto", "último"],
        and: " y ",
        daily: "cada día",
        everyDays: "cada {n} días",
        workdays: "de lunes a viernes",
        weekly: "cada {days}",
        everyWeeks: "cada {n} semanas {days}",
        onWeekday: "el {day}",
        monthly: "{days} de cada mes",
        everyMonths: "cada {n} meses {days}",
        yearly: "cada año {days}",
        everyYears: "cada {n} años {days}",
        dayNumber: { "el día \($0)" },
        lastDay: "el último día",
        nthWeekday: "el {ordinal} {day}",
        dayOfMonth: "{day} de {month}",
        dayAndMonth: "el {day} de {month}",
        date: "{day} de {month} de {year}",
        atTimes: " a {times}",
        time: { $0 == 1 ? "la {time}" : "las {time}" },
        once: "el {date} a {time}",
        from: ", desde el {date}",
        until: ", hasta el {date}",
        dateAndTime: "{date} a {time}",
        oneTime: ", una vez",
        manyTimes: ", {n} veces",
        hour: Unit(each: "cada hora", one: "1 hora", many: "{n} horas"),
        minute: Unit(each: "cada minuto", one: "1 minuto", many: "{n} minutos"),
        second: Unit(each: "cada segundo", one: "1 segundo", many: "{n} segundos"),
        every: "cada {span}",
        after: "una vez, después de {span}",
        startsNow: ", la primera vez enseguida"
    )
}
