/// All that the server answers, in the order in which `GET /` lists it. The router reads the same table.
enum RouteTable {
    static let all: [RouteSection] = [
        RouteSection(title: "Basics", routes: basics),
        RouteSection(title: "Bodies", routes: bodies),
        RouteSection(title: "Redirects", routes: redirects),
        RouteSection(title: "Slow", routes: slow),
        RouteSection(title: "Uploads", routes: uploads),
        RouteSection(title: "Auth", routes: auth),
        RouteSection(title: "Cookies", routes: cookies),
        RouteSection(title: "Caching", routes: caching),
        RouteSection(title: "Trouble", routes: trouble),
        RouteSection(title: "Viewer", routes: viewer),
    ]
}
