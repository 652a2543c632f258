/// Small documents of the usual kinds.
enum Samples {
    static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- Waders that turn stones. -->
        <birds xmlns="https://example.com/birds" xmlns:t="https://example.com/taxonomy">
          <bird id="1" t:family="Scolopacidae">
            <name xml:lang="en">Ruddy turnstone</name>
            <name xml:lang="de">Steinwälzer</name>
            <weight unit="g">110</weight>
            <note><![CDATA[Eats <almost> anything & everything.]]></note>
          </bird>
          <bird id="2" t:family="Scolopacidae">
            <name xml:lang="en">Black turnstone</name>
            <range>Alaska &#8211; Baja California</range>
            <photo/>
          </bird>
        </birds>

        """

    static let html = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
          <meta charset="utf-8">
          <title>Ruddy turnstone</title>
          <style>body { font-family: serif; } h1 > small { color: gray; }</style>
          <script>if (1 < 2 && "a" > "A") { console.log("<p>not a tag</p>"); }</script>
        </head>
        <body>
          <h1>Ruddy turnstone <small>Arenaria interpres</small></h1>
          <p>It <em>flips stones</em> &mdash; and shells &amp; seaweed &mdash; to see what is underneath.<br>
          <a href="/image.svg" title='A "drawing"'>A drawing</a></p>
          <ul><li>Length: 21&ndash;26 cm</li><li hidden>Weight: 84&ndash;190 g</li></ul>
          <!-- <p>A comment.</p> -->
        </body>
        </html>

        """

    static let svg = """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80" role="img" aria-label="A turnstone">
          <ellipse cx="52" cy="38" rx="30" ry="17" fill="#a0522d"/>
          <circle cx="84" cy="26" r="10" fill="#fff" stroke="#222" stroke-width="2"/>
          <path d="M93 26 l14 5 l-14 1 z" fill="#222"/>
          <path d="M46 54 v14 M58 54 v14" stroke="#ff8c00" stroke-width="3"/>
          <ellipse cx="106" cy="70" rx="11" ry="6" fill="#777"/>
        </svg>

        """

    static let sentences = [
        "A turnstone flips stones to see what is underneath.",
        "Every request is an operation; every transfer of it is an attempt.",
        "A redirect hop is an attempt of its own, with its own phases.",
        "The slowest phase is rarely the one you suspect.",
        "What is old is never shown as new.",
    ]
}
