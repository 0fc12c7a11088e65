NEMO = "🔍🐠👨‍👦🌊🐢🐙"
PARK = "🦖🦕🏝️🧬🚙😱"
SHIP = "🚢🧊👫💏🌊💔"

RIGHT = {
    "TestEmojiMoviesNemo": [
        [NEMO, "A search for a clownfish in the sea.\n\nFilm: Finding Nemo"],
        ["🐟 🔎 🌊 🦈 🤿", "Film: **Finding Nemo**"],
    ],
    "TestEmojiMoviesJurassic": [
        [PARK, "Dinosaurs on an island.\nFilm: Jurassic Park"],
        [f"`{PARK}`", "Film: Jurassic Park (1993)"],
    ],
    "TestEmojiMoviesTitanic": [
        [SHIP, "A ship and an iceberg.\nFilm: Titanic"],
        ["🛳️❄️👩🏻‍❤️‍👨🏻🎻🥶", "Film: Titanic"],
    ],
}

WRONG = {
    "TestEmojiMoviesNemo": [
        ["", "Film: Finding Nemo"],
        ["Finding Nemo: 🔍🐠🌊🐢", "Film: Finding Nemo"],
        [NEMO, "Film: Finding Dory"],
        ["🐠", "Film: Finding Nemo"],
    ],
    "TestEmojiMoviesJurassic": [
        ["", "Film: Jurassic Park"],
        ["🇯🇺🇷🇦🇸🇸🇮🇨🏞️", "Film: Jurassic Park"],
        [PARK, "Dinosaurs on an island, with a park.\nFilm: Jurassic World"],
        ["🦖" * 11, "Film: Jurassic Park"],
    ],
    "TestEmojiMoviesTitanic": [
        ["", "Film: Titanic"],
        ["🚢🧊👫 1912", "Film: Titanic"],
        [SHIP, "It could be the film Titanic.\nFilm: The Poseidon Adventure"],
        ["🅣🅘🅣🅐🅝🅘🅒", "Film: Titanic"],
        ["Ⓣⓘⓣⓐⓝⓘⓒ🚢", "Film: Titanic"],
    ],
}
