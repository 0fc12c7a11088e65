def nothing(messages):
    return ""


DIFF = '''```diff
--- bookings.py
+++ bookings.py
@@ -10,7 +10,7 @@
     def is_free(self, start, nights):
         end = start + timedelta(days=nights)
         for first, last, _ in self.bookings:
-            if start >= first and end <= last:
+            if start < last and first < end:
                 return False
         return True
 
@@ -24,7 +24,7 @@
 
     def guests_on(self, day):
         """Who sleeps here in the night that begins on `day`."""
-        return [guest for first, last, guest in self.bookings if first <= day <= last]
+        return [guest for first, last, guest in self.bookings if first <= day < last]
 
 
 def parse_day(text):
```'''

RIGHT = {
    "TestFixWithPatch": [
        DIFF,
        "Save this as `fix.patch`:\n\n" + DIFF + "\n\nthen\n\n```bash\npatch bookings.py < fix.patch\n```",
        # git's way of naming the files, and line numbers that are a little off
        '''```patch
diff --git a/bookings.py b/bookings.py
--- a/bookings.py
+++ b/bookings.py
@@ -13,6 +13,3 @@ class Calendar:
         end = start + timedelta(days=nights)
-        for first, last, _ in self.bookings:
-            if start >= first and end <= last:
-                return False
-        return True
+        return all(end <= first or last <= start for first, last, _ in self.bookings)
 
@@ -28,3 +25,3 @@ class Calendar:
         """Who sleeps here in the night that begins on `day`."""
-        return [guest for first, last, guest in self.bookings if first <= day <= last]
+        return [guest for first, last, guest in self.bookings if first <= day < last]
 
```''',
    ]
}

WRONG = {
    "TestFixWithPatch": [
        nothing,
        DIFF.replace("start < last and first < end", "start <= last and first <= end"),  # no guest on a day of departure
        DIFF.replace("+        return [guest for first, last, guest in self.bookings if first <= day < last]",
                     "+        return [guest for first, last, guest in self.bookings if first < day <= last]"),
        # the context is from memory and does not fit
        DIFF.replace("for first, last, _ in", "for begin, end, who in"),
        # half of a range count
        DIFF.replace("@@ -10,7 +10,7 @@", "@@ -10,9 +10,9 @@"),
        # a new file instead of a diff
        "```python\nclass Calendar:\n    def is_free(self, start, nights):\n"
        "        # start < last and first < end\n        return True\n```",
    ]
}  # fmt: skip
