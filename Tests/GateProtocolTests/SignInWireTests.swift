import GateModel
import GateProtocol
import Testing

@Suite("Reading sign-in messages with missing or unknown parts")
struct SignInWireTests {
    private static func account(_ kind: (MessageBytes) -> MessageBytes) -> [UInt8] {
        MessageBytes { $0.bytes(1, kind($0.bytes(1, Array("anna".utf8))).array).bytes(2, [0x31]) }.array
    }

    private static func child(_ born: String) -> [UInt8] {
        account { $0.bytes(3, MessageBytes { $0.bytes(1, Array(born.utf8)) }.array) }
    }

    @Test(
        "an account that is missing, or without a known kind, is refused")
    func accountWithoutKind() throws {
        #expect(
            try RegisterAccountRequest(decoding: Self.account { $0.bytes(2, []) })
                == RegisterAccountRequest(
                    account: GatePerson(name: "anna", kind: .grownUp), password: GateSecret("1".utf8)))
        let cases: [([UInt8], String)] = [
            (Self.account { $0 }, "set grownUp or child"),
            (Self.account { $0.bytes(99, []) }, "set grownUp or child"),
            (MessageBytes { $0.bytes(2, [0x31]) }.array, "RegisterAccountRequest.account is not set"),
        ]
        for (bytes, words) in cases {
            let error = #expect(throws: GateError.self) { try RegisterAccountRequest(decoding: bytes) }
            #expect(error?.code == .invalidArgument && error?.reason == .invalidRequest)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
        let listed = MessageBytes { $0.bytes(1, MessageBytes { $0.bytes(1, [0x61]) }.array) }.array
        #expect(throws: GateError.self) { try ListAccountsResponse(decoding: listed) }
    }

    @Test("of two accounts in one message the last counts")
    func accountTwice() throws {
        func kind(_ first: MessageBytes, _ second: MessageBytes) throws -> GatePerson.Kind {
            let bytes = MessageBytes { $0.bytes(1, first.array).bytes(1, second.array) }.array
            return try RegisterAccountRequest(decoding: bytes).account.kind
        }
        let born = try #require(CivilDate(year: 2016, month: 2, day: 29))
        let child = MessageBytes { $0.bytes(3, MessageBytes { $0.bytes(1, Array("2016-02-29".utf8)) }.array) }
        let grownUp = MessageBytes { $0.bytes(2, []) }
        #expect(try kind(grownUp, child) == .child(born: born))
        #expect(try kind(child, grownUp) == .grownUp)
        #expect(try kind(child, MessageBytes { $0.bytes(1, [0x61]) }) == .child(born: born))
        let undated = MessageBytes { $0.bytes(3, []) }
        #expect(throws: GateError.self, "a member of a oneof is replaced, not merged") { try kind(child, undated) }
    }

    @Test(
        "a date of birth that is no day is refused",
        arguments: [
            "", "2016", "2016-2-29", "2015-02-29", "2016-00-01", "2016-13-01", "2016-04-31", "2016-04-00",
            "-016-04-01", "2016/04/01", " 2016-04-01", "2016-04-01 ", "02016-04-01", "٢٠١٦-٠٤-٠١",
        ])
    func born(text: String) {
        let error = #expect(throws: GateError.self) { try RegisterAccountRequest(decoding: Self.child(text)) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("gate.v1.Child.born is no date; write it as YYYY-MM-DD") == true)
    }

    @Test(
        "a date of birth comes back as the same day, also in the first and the last year",
        arguments: [0, 1, 1970, 2016, 9999])
    func days(year: Int) throws {
        let born = try #require(CivilDate(year: year, month: 2, day: 28))
        let request = RegisterAccountRequest(
            account: GatePerson(name: "ben", kind: .child(born: born)), password: GateSecret([]))
        #expect(try RegisterAccountRequest(decoding: request.encoded()) == request)
    }

    @Test("a response without a state, or with an unknown session, means that nobody is signed in")
    func noState() throws {
        #expect(try GetSignInResponse(decoding: [UInt8]()).state == .closed)
        #expect(try LogInResponse(decoding: [UInt8]()).state == .closed)
        #expect(try LogOutResponse(decoding: [UInt8]()).state == .closed)
        let unknown = MessageBytes { $0.bytes(2, MessageBytes { $0.bytes(99, [1]).number(3, 1) }.array) }.array
        #expect(
            try LogInResponse(decoding: unknown).state
                == SignInState(session: nil, isAuthenticating: false, needsAuthentication: true))
    }

    @Test("an empty old password is not the same as none")
    func oldPassword() throws {
        let none = MessageBytes { $0.bytes(3, [0x31]) }.array
        #expect(try ChangePasswordRequest(decoding: none).oldPassword == nil)
        #expect(try ChangePasswordRequest(decoding: MessageBytes(array: none).bytes(2, []).array).oldPassword != nil)
    }

    @Test("no message with a password prints it, nor does an error about one")
    func unprinted() {
        let password = GateSecret("hunter2 swordfish".utf8)
        let messages: [any WireMessage] = [
            LogInRequest(name: "anna", password: password),
            RegisterAccountRequest(account: GatePerson(name: "anna", kind: .grownUp), password: password),
            ChangePasswordRequest(name: "anna", oldPassword: password, newPassword: password),
        ]
        for message in messages {
            var dumped = ""
            dump(message, to: &dumped)
            for text in ["\(message)", String(reflecting: message), dumped] {
                #expect(text.contains("anna"))
                #expect(!text.contains("hunter2") && !text.contains("104, 117, 110"))
            }
        }
        let error = #expect(throws: GateError.self) {
            try MessageJSON.bytes(from: #"{"password":"hunter2 !"}"#, as: LogInRequest.descriptor)
        }
        #expect(error?.message == "\"password\" takes a string of base64")
    }
}
