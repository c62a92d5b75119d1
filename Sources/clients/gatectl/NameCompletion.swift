import ArgumentParser
import GateClient
import GateModel
import GateProtocol

/// Completes words in a shell that only the daemon knows: names of gated actions, forms and people, numbers of asks,
/// and what can be chosen for one. The daemon gets one second to answer, since a person is typing. If anything goes
/// wrong, only the words that have come by then are offered.
enum NameCompletion {
    static var gatedActions: CompletionKind {
        kind(Methods.Authorization.listGatedActions, ListGatedActionsRequest.init(pageSize:pageToken:), \.name)
    }

    /// The forms of the device, and those that apps of the same user have brought.
    static var forms: CompletionKind {
        kind(Methods.Questionnaires.list, ListQuestionnairesRequest.init(pageSize:pageToken:), \.name)
    }

    /// The people. The daemon lists them for administrators and grown-ups, and in parent mode for everyone.
    static var people: CompletionKind {
        kind(Methods.People.list, ListPeopleRequest.init(pageSize:pageToken:), \.person.name)
    }

    /// The apps that have asked for an age range, for those who may list people.
    static var ageApps: CompletionKind {
        kind(Methods.Age.listApps, ListAgeAppsRequest.init(pageSize:pageToken:), \.app)
    }

    /// The numbers of the asks that this user may see.
    static var asks: CompletionKind {
        kind(Methods.Authorization.listAsks, ListAsksRequest.init(pageSize:pageToken:)) { "\($0.id)" }
    }

    /// The choices for the ask whose number is in the unfinished command line.
    static var choices: CompletionKind {
        .custom { words, _, _ in
            names(words) { gate, token throws(GateError) in
                let request = ListAsksRequest(pageSize: 0, pageToken: token)
                let page = try gate.call(Methods.Authorization.listAsks, request)
                let asks = page.elements.filter { words.contains("\($0.id)") }
                return (asks.flatMap { $0.choices.map(\.text) }, page.nextPageToken)
            }
        }
    }

    /// The most pages that are requested. Names on further pages are not offered.
    private static let maximumPages = 4

    private static let patience = Duration.seconds(1)

    private static func kind<Request, Reply: ListReply>(
        _ method: Method<Request, Reply>, _ request: @escaping @Sendable (Int, String) -> Request,
        _ name: @escaping @Sendable (Reply.Element) -> String
    ) -> CompletionKind {
        .custom { words, _, _ in
            names(words) { gate, token throws(GateError) in
                let page = try gate.call(method, request(0, token))
                return (page.elements.map(name), page.nextPageToken)
            }
        }
    }

    private static func names(
        _ words: [String],
        page: (BlockingGateClient, _ token: String) throws(GateError) -> (names: [String], next: String)
    ) -> [String] {
        var all: [String] = []
        do throws(GateError) {
            let gate = try BlockingGateClient(options(words))
            var token = ""
            for _ in 0..<maximumPages {
                let page = try page(gate, token)
                all += page.names
                guard !page.next.isEmpty else { break }
                token = page.next
            }
        } catch {
            // The names of earlier pages are still valid.
        }
        return all.filter(isOffered)
    }

    /// The options for the daemon that the unfinished command line names.
    static func options(_ words: [String]) -> GateClientOptions {
        GateClientOptions(
            socketPath: value(of: "--socket", in: words),
            trustedServers: .rootAnd(
                user: value(of: "--server-user", in: words) ?? GateClientOptions.defaultServerUser),
            programName: "gatectl", connectTimeout: patience, callTimeout: patience)
    }

    private static func value(of option: String, in words: [String]) -> String? {
        for (place, word) in words.enumerated() {
            if word == option {
                // bash splits `--socket=PATH` into three words.
                return words.dropFirst(place + 1).first { $0 != "=" }
            }
            if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
        }
        return nil
    }

    /// Whether a name may be offered to a shell. bash expands what it is offered, so it would run a name like
    /// `$(reboot)`, and it would split a name with a space into several words.
    static func isOffered(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("-")
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
                    || "._-@+:".unicodeScalars.contains(scalar)
            }
    }
}
