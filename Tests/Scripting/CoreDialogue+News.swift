import CommandSupport
import GateCore
public import GateModel
import GatePolicy

// What is new in an app, and who has seen it.

extension CoreDialogue {
    public mutating func showNews(_ news: ScriptNews, as person: Person) throws -> Outcome {
        try show(news, presenting: .here, to: person)
    }

    public mutating func acknowledgeNews(_ news: ScriptNews, as person: Person) throws -> Outcome {
        said("seen", after: .acknowledgeWhatsNew(app: news.app, try news.appVersion), as: person)
    }

    public mutating func forgetNews(of app: String?, as person: Person) -> Outcome {
        switch apply(.resetWhatsNew(app: app), as: newPeer(person)) {
        case .success(.count(let count)): .said("\(count) forgotten")
        case .success(.refused(let error)), .failure(let error): .refused(error.message)
        case .success: .said("something else")
        }
    }

    public mutating func listNews(as person: Person) -> Outcome {
        .listedNews(
            state.releaseNotes(for: newPeer(person)).map { notes, seen in
                ShownNews(
                    app: notes.app, newest: notes.entries.map(\.version).max() ?? AppVersion(0, 0, 0), seen: seen)
            })
    }

    mutating func show(_ news: ScriptNews, presenting: Presenting, to person: Person) throws -> Outcome {
        outcome(
            of: .showWhatsNew(
                app: news.app, try news.appVersion, own: try broughtNotes(of: news.app), presenting: presenting),
            as: person)
    }

    private func broughtNotes(of app: String) throws -> [WhatsNew] {
        guard let text = world.brought[app] else { return [] }
        let source = PolicySource(name: "release-notes.d/\(app).yaml", text: text)
        return try PolicyReader.read([source]).configuration.releaseNotes[app]?.entries ?? []
    }

    /// Presses one of the buttons: `continue` or `more`.
    mutating func acknowledge(
        _ question: AskedChallenge, _ id: UInt64, with text: String, by peer: Peer
    ) throws -> Outcome {
        guard let answer = ScriptNews.answer(for: text) else {
            throw UnknownChallenge(id: id, message: "its buttons are `continue` and `more`, not `\(text)`")
        }
        return seen(question, id, apply(.complete(question.presentation.cookie, answer), as: peer))
    }

    mutating func seen(
        _ question: AskedChallenge, _ id: UInt64, _ reply: Result<Reply, GateError>
    ) -> Outcome {
        switch reply {
        case .success(.refused(let error)), .failure(let error): return .refused(error.message)
        case .success(.whatsNew(let outcome)):
            asked[id]?.connection = nil
            return .news(outcome)
        case .success:
            if !question.isOnScreen { asked[id]?.connection = nil }
            return .said("what's new \(id): seen")
        }
    }
}

extension ScriptNews {
    public var appVersion: AppVersion {
        get throws {
            guard let version = AppVersion(version) else { throw NothingAsked(name: "version \(version)") }
            return version
        }
    }

    /// The button of this name; `nil` if there is none.
    public static func answer(for text: String) -> ChallengeAnswer? {
        switch text {
        case "continue": .acknowledged(.primary)
        case "more": .acknowledged(.secondary)
        case _: nil
        }
    }
}
