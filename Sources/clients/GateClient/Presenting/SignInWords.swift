import GateModel

/// The texts of `SignInForm` in the languages that Gate has. An app does not link Gate's catalogues, which lie beside
/// Gate's own programs, so these few texts are here once more. A test compares them with the catalogues.
enum SignInWords {
    static let logIn = text("Sign in", german: "Anmelden", russian: "Войти", chinese: "登录")
    static let pleaseWait = text("Please wait", german: "Bitte warten", russian: "Подождите", chinese: "请稍候")

    /// The refusals of a log-in that a person can do something about. `{name}`: the account that is signed in.
    static let refusals: [GateError.Reason: LocalizedText] = [
        .wrongPassword: text(
            "Wrong name or password.", german: "Name oder Passwort ist falsch.",
            russian: "Неверное имя или пароль.", chinese: "用户名或密码错误。"),
        .lockedOut: text(
            "There were too many attempts to sign in.", german: "Es gab zu viele Anmeldeversuche.",
            russian: "Слишком много попыток входа.", chinese: "登录尝试次数过多。"),
        .authenticating: text(
            "Another password is being checked. Try again in a moment.",
            german: "Gerade wird ein anderes Passwort geprüft. Bitte gleich noch einmal versuchen.",
            russian: "Сейчас проверяется другой пароль. Попробуйте чуть позже.",
            chinese: "正在验证另一个密码，请稍后重试。"),
        .signedIn: text(
            "{name} is signed in already. Sign out first.",
            german: "{name} ist schon angemeldet. Bitte zuerst abmelden.",
            russian: "Вход уже выполнен: {name}. Сначала нужно выйти.", chinese: "{name} 已登录，请先退出登录。"),
    ]

    /// The sentence about a refused log-in; in English, and for other reasons, the daemon's message, which says more.
    static func sentence(_ error: GateError, for languages: [String]) -> String {
        guard let texts = refusals[error.reason] else { return error.message }
        let sentence = texts.text(for: languages)
        guard sentence != texts.text else { return error.message }
        return sentence.replacing("{name}", with: error.parameters["account"] ?? "")
    }

    private static func text(
        _ english: String, german: String, russian: String, chinese: String
    ) -> LocalizedText {
        LocalizedText(
            english,
            [
                LocalizedText.Translation(language: "en", text: english),
                LocalizedText.Translation(language: "de", text: german),
                LocalizedText.Translation(language: "ru", text: russian),
                LocalizedText.Translation(language: "zh-Hans", text: chinese),
            ])
    }
}
