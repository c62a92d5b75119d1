import GateModel
import GateProtocol

extension ProtocTests {
    private static let revisionText = "revision {epoch: 11 number: 22}"

    static let signedIn = SignInState(
        session: SignInState.Session(name: "Anna Ü", isChild: true, deadline: BootTime(nanoseconds: 77)),
        isAuthenticating: false, needsAuthentication: false)
    static let signedInText = "session {name: \"Anna Ü\" is_child: true deadline_boottime_nanoseconds: 77}"
    private static let needed = SignInState(session: nil, isAuthenticating: true, needsAuthentication: true)
    private static let anna = GatePerson(name: "anna", kind: .grownUp)
    /// An account of somebody born on the leap day of 2016.
    private static let ben = GatePerson(
        name: "ben", kind: .child(born: CivilDate(WallTime(unixMilliseconds: leapDay))))
    private static let leapDay: Int64 = 1_456_704_000_000

    static let signIns: [Golden] = [
        Golden(GetSignInRequest(), ""),
        Golden(GetSignInResponse(revision: revision, state: signedIn), "\(revisionText) state {\(signedInText)}"),
        Golden(GetSignInResponse(revision: revision, state: .closed), "\(revisionText) state {}"),
        Golden(
            GetSignInResponse(
                revision: revision,
                state: SignInState(
                    session: SignInState.Session(name: "", isChild: false, deadline: BootTime(nanoseconds: 0)),
                    isAuthenticating: false, needsAuthentication: false)),
            "\(revisionText) state {session {}}"),
        Golden(
            LogInRequest(name: "Anna Ü", password: GateSecret([0x31, 0, 0xFF])),
            "name: \"Anna Ü\" password: \"1\\000\\377\""),
        Golden(LogInRequest(name: "", password: GateSecret([])), ""),
        Golden(
            LogInResponse(revision: revision, state: needed),
            "\(revisionText) state {is_authenticating: true needs_authentication: true}"),
        Golden(LogOutRequest(), ""),
        Golden(
            LogOutResponse(
                revision: revision,
                state: SignInState(session: nil, isAuthenticating: false, needsAuthentication: true)),
            "\(revisionText) state {needs_authentication: true}"),
        Golden(
            RegisterAccountRequest(account: anna, password: GateSecret([1])),
            "account {name: \"anna\" grown_up {}} password: \"\\001\""),
        Golden(
            RegisterAccountRequest(account: ben, password: GateSecret([1])),
            "account {name: \"ben\" child {born: \"2016-02-29\"}} password: \"\\001\""),
        Golden(RegisterAccountResponse(revision: revision), revisionText),
        Golden(
            ChangePasswordRequest(name: "anna", oldPassword: GateSecret([1]), newPassword: GateSecret([2])),
            "name: \"anna\" old_password: \"\\001\" new_password: \"\\002\""),
        Golden(
            ChangePasswordRequest(name: "anna", oldPassword: GateSecret([]), newPassword: GateSecret([2])),
            "name: \"anna\" old_password: \"\" new_password: \"\\002\""),
        Golden(
            ChangePasswordRequest(name: "anna", oldPassword: nil, newPassword: GateSecret([2])),
            "name: \"anna\" new_password: \"\\002\""),
        Golden(ChangePasswordResponse(revision: revision), revisionText),
        Golden(ListAccountsRequest(pageSize: 5, pageToken: "t"), "page_size: 5 page_token: \"t\""),
        Golden(
            ListAccountsResponse([AccountMessage(anna), AccountMessage(ben)], nextPageToken: "n"),
            """
            accounts {name: "anna" grown_up {}} accounts {name: "ben" child {born: "2016-02-29"}} next_page_token: "n"
            """),
        Golden(RemoveAccountRequest(name: "anna"), "name: \"anna\""),
        Golden(RemoveAccountResponse(revision: revision), revisionText),
        Golden(
            ListAccountsResponse(
                [AccountMessage(GatePerson(name: "anna", kind: .grownUp, isConfirmed: false))], nextPageToken: ""),
            "accounts {name: \"anna\" grown_up {} is_unconfirmed: true}"),
        Golden(
            ConfirmAccountRequest(account: anna, newPassword: GateSecret([2])),
            "account {name: \"anna\" grown_up {}} new_password: \"\\002\""),
        Golden(ConfirmAccountResponse(revision: revision), revisionText),
        Golden(ListPeopleRequest(pageSize: 5, pageToken: "t"), "page_size: 5 page_token: \"t\""),
        Golden(
            ListPeopleResponse(
                [
                    ListedPerson(GatePerson(name: "anna", kind: .grownUp, hasPassword: true, isConfirmed: false)),
                    ListedPerson(
                        GatePerson(
                            name: "ben", kind: .child(born: CivilDate("2016-02-29")),
                            user: GatePerson.UnixUser(name: "ben", uid: 1002)), isUserUnknown: true),
                    ListedPerson(
                        GatePerson(
                            name: "kiosk", kind: .shared, user: GatePerson.UnixUser(name: "tv", uid: 1003))),
                ], nextPageToken: "n"),
            """
            people {name: "anna" grown_up {} has_password: true is_unconfirmed: true} \
            people {name: "ben" child {born: "2016-02-29"} user {name: "ben" uid: 1002} is_user_unknown: true} \
            people {name: "kiosk" shared {} user {name: "tv" uid: 1003}} next_page_token: "n"
            """),
        Golden(
            SetPersonRequest(person: ListedPerson(GatePerson(name: "mia", kind: .child(born: nil)))),
            "person {name: \"mia\" child {}}"),
        Golden(SetPersonResponse(revision: revision), revisionText),
        Golden(RemovePersonRequest(name: "mia"), "name: \"mia\""),
        Golden(RemovePersonResponse(revision: revision), revisionText),
    ]

    static let ages: [Golden] = [
        Golden(QueryAgeRangeRequest(), ""),
        Golden(QueryAgeRangeResponse(range: nil), ""),
        Golden(
            QueryAgeRangeResponse(range: AgeRange(low: 13, high: 15, source: .guardian)),
            "range {low: 13 high: 15 source: AGE_SOURCE_GUARDIAN}"),
        Golden(
            QueryAgeRangeResponse(range: AgeRange(low: 18, high: nil, source: .grownUp)),
            "range {low: 18 source: AGE_SOURCE_SELF}"),
        Golden(GetAgeSettingsRequest(), ""),
        Golden(
            GetAgeSettingsResponse(settings: AgeSettings(isOn: true, gates: [8, 12])), "is_on: true gates: 8 gates: 12"),
        Golden(
            SetAgeSettingsRequest(isOn: true, gates: [14], grant: Grant.Proof(bytes: [7])),
            "is_on: true gates: 14 grant_proof: \"\\007\""),
        Golden(SetAgeSettingsResponse(revision: revision), revisionText),
        Golden(ListAgeAppsRequest(pageSize: 5, pageToken: "t"), "page_size: 5 page_token: \"t\""),
        Golden(
            ListAgeAppsResponse(
                AgeChoice.allCases.map { AgeApp(person: "mia", app: "chat", choice: $0, isWaiting: $0 == .ask) },
                nextPageToken: "n"),
            """
            apps {person: "mia" app: "chat" choice: AGE_CHOICE_ASK is_waiting: true} \
            apps {person: "mia" app: "chat" choice: AGE_CHOICE_ALWAYS} \
            apps {person: "mia" app: "chat" choice: AGE_CHOICE_NEVER} \
            apps {person: "mia" app: "chat" choice: AGE_CHOICE_FOR_NOW} \
            apps {person: "mia" app: "chat" choice: AGE_CHOICE_NOT_NOW} next_page_token: "n"
            """),
        Golden(
            SetAgeChoiceRequest(person: "mia", app: "chat", choice: .never, grant: Grant.Proof(bytes: [7])),
            "person: \"mia\" app: \"chat\" choice: AGE_CHOICE_NEVER grant_proof: \"\\007\""),
        Golden(SetAgeChoiceResponse(revision: revision), revisionText),
    ]
}
