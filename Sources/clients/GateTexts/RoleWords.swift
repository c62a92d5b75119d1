/// What a person on the list, or the user of several people, is called where somebody says who is who.
package enum RoleWords {
    package static var grownUp: String { localized("A grown-up") }
    package static var child: String { localized("A child") }
    package static var shared: String { localized("A user whom several people use") }
}
