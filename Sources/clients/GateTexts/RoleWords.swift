/// The words for the kinds of entries on the list of people, where the list is shown and where a kind is chosen.
package enum RoleWords {
    package static var grownUp: String { localized("A grown-up") }
    package static var child: String { localized("A child") }
    package static var shared: String { localized("Shared by several people") }
}
