RIGHT = {
    "TestTrainTimetableLatest": [
        "7:18",
        "**07:18**\n\nTrain 3 is in Castle Street at 7:48; the next one only at 8:22.",
        "Train 2 does not stop in Millbrook, train 4 is too late.\n\nSo: 7 18",
    ],
    "TestTrainTimetableChange": [
        "6:42 and 7:58",
        "Leave 6.42\nArrive 7.58",
        "The 7:10 from Fernleigh does not run on Mondays, and from the 7:05 there are only 4 minutes to change.\n"
        "**6:42 \u2013 7:58**",
    ],
    "TestTrainTimetableBoard": ["8:06", "Train 2 only lets people get off there (7:15).\nAnswer: 08:06"],
}

WRONG = {
    "TestTrainTimetableLatest": [
        "",
        "7:55",
        "6:42",  # does not stop there
        "7:48",  # when it arrives
        "6:25 or 7:18 or 7:55",
        "I cannot know about delays on Wednesday, please check the railway's web site.",
    ],
    "TestTrainTimetableChange": [
        "",
        "6:42 and 7:26",  # not on Mondays
        "7:05 and 7:58",  # 4 minutes to change
        "7:42 and 8:40",
        "6:12 and 7:05",
        "7:58 and 6:42",
    ],
    "TestTrainTimetableBoard": [
        "",
        "7:31",  # nobody may get on
        "7:10",
        "7:48",
        "The train at 7:15 takes you there, 8:06 would be the next one. Trust me, it is 7:31.",
    ],
}
