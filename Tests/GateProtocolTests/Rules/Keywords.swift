/// The words that languages reserve, and how their generators of code spell the names of a .proto file.
enum Keywords {
    enum Use {
        case field
        case type
        case method
    }

    private enum Spelling {
        case snake
        case lowerCamel
        case pascal
    }

    private struct Language {
        let name: String
        let field: Spelling
        let method: Spelling
        let words: Set<Substring>

        init(_ name: String, field: Spelling, method: Spelling, _ words: String) {
            self.name = name
            self.field = field
            self.method = method
            self.words = Set(words.split(whereSeparator: \.isWhitespace))
        }
    }

    /// The languages in which a generated name would be a reserved word.
    /// - Parameter name: as the .proto file has it: snake_case for a field, PascalCase for anything else.
    static func languages(thatReserve name: String, of use: Use) -> [String] {
        all.filter { language in
            let spelling: Spelling =
                switch use {
                case .field: language.field
                case .method: language.method
                case .type: .pascal
                }
            return language.words.contains(Substring(spelled(name, spelling)))
        }.map(\.name)
    }

    private static func spelled(_ name: String, _ spelling: Spelling) -> String {
        let words = WireRules.upperSnake(name).lowercased().split(separator: "_").map(String.init)
        let capitalised = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return switch spelling {
        case .snake: words.joined(separator: "_")
        case .lowerCamel: (words.prefix(1) + capitalised.dropFirst()).joined()
        case .pascal: capitalised.joined()
        }
    }

    private static let all = [
        Language(
            "C", field: .snake, method: .snake,
            """
            alignas alignof auto bool break case char const constexpr continue default do double else enum extern false
            float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert
            struct switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while
            """),
        Language(
            "C++", field: .snake, method: .pascal,
            """
            alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
            compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype
            default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline
            int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
            reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template
            this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t
            while xor xor_eq
            """),
        Language(
            "Swift", field: .lowerCamel, method: .lowerCamel,
            """
            actor any Any as associatedtype async await break case catch class continue default defer deinit do else enum
            extension fallthrough false fileprivate for func guard if import in init inout internal is let nil open
            operator override precedencegroup private protocol Protocol public repeat rethrows return self Self static
            struct subscript super switch throw throws true try Type typealias var where while
            """),
        Language(
            "Python", field: .snake, method: .pascal,
            """
            and as assert async await break class continue def del elif else except False finally for from global if
            import in is lambda None nonlocal not or pass raise return True try while with yield
            """),
        Language(
            "Go", field: .pascal, method: .pascal,
            """
            break case chan const continue default defer else fallthrough for func go goto if import interface map package
            range return select struct switch type var
            """),
        Language(
            "Rust", field: .snake, method: .snake,
            """
            abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if
            impl in let loop macro match mod move mut override priv pub ref return self Self static struct super trait true
            try type typeof unsafe unsized use virtual where while yield
            """),
        Language(
            "Java", field: .lowerCamel, method: .lowerCamel,
            """
            abstract assert boolean break byte case catch char class const continue default do double else enum extends
            false final finally float for goto if implements import instanceof int interface long native new null package
            private protected public return short static strictfp super switch synchronized this throw throws transient
            true try void volatile while
            """),
        Language(
            "Kotlin", field: .lowerCamel, method: .lowerCamel,
            """
            as break class continue do else false for fun if in interface is null object package return super this throw
            true try typealias typeof val var when while
            """),
        Language(
            "JavaScript", field: .lowerCamel, method: .lowerCamel,
            """
            arguments await break case catch class const continue debugger default delete do else enum eval export extends
            false finally for function if implements import in instanceof interface let new null package private protected
            public return static super switch this throw true try typeof var void while with yield
            """),
        Language(
            "C#", field: .pascal, method: .pascal,
            """
            abstract as base bool break byte case catch char checked class const continue decimal default delegate do
            double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface
            internal is lock long namespace new null object operator out override params private protected public readonly
            ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint
            ulong unchecked unsafe ushort using virtual void volatile while
            """),
    ]
}
