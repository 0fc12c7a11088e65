import java.time.DayOfWeek;
import java.time.LocalDate;

/** The number of months from 1901 to 2000 that began with a Sunday. */
public class FirstSundays {
    public static void main(String[] args) {
        LocalDate end = LocalDate.of(2001, 1, 1);
        int sundays = 0;
        for (LocalDate first = LocalDate.of(1901, 1, 1); first.isBefore(end); first = first.plusMonths(1)) {
            if (first.getDayOfWeek() == DayOfWeek.SUNDAY) {
                sundays++;
            }
        }
        System.out.println(sundays);
    }
}
