extension Functions {
  /// The computations of `DateComputation`. A time zone is an array of pairs: the beginning of a
  /// period and its offset, in seconds; NULL for UTC.
  static var dates: [String] { zones + calendar + [datePart, dateStart, dateAdd] }

  private static var zones: [String] {
    [
      // The largest integer that is not larger than a quotient.
      expression(
        "magic_quotient(a bigint, b bigint)", "bigint",
        "CASE WHEN a % b < 0 THEN a / b - 1 ELSE a / b END"),
      expression("magic_rest(a bigint, b bigint)", "bigint", "((a % b) + b) % b"),
      block(
        "magic_offset(zone bigint[], moment bigint)", "bigint", isStrict: false,
        """
        DECLARE
          low integer := 1;
          high integer := coalesce(array_length(zone, 1), 0) / 2 + 1;
          middle integer;
        BEGIN
          IF high < 2 THEN RETURN 0; END IF;
          WHILE high - low > 1 LOOP
            middle := (low + high) / 2;
            IF zone[middle * 2 - 1] <= moment THEN low := middle; ELSE high := middle; END IF;
          END LOOP;
          RETURN least(greatest(zone[low * 2], -86400), 86400);
        END
        """),
      block(
        "magic_time(zone bigint[], local_time bigint, preferred bigint)", "bigint", isStrict: false,
        """
        DECLARE
          before bigint;
          after bigint;
        BEGIN
          IF preferred IS NOT NULL AND magic_offset(zone, local_time - preferred) = preferred THEN
            RETURN local_time - preferred;
          END IF;
          before := magic_offset(zone, local_time - 86400);
          after := magic_offset(zone, local_time + 86400);
          IF before = after OR magic_offset(zone, local_time - before) = before THEN
            RETURN local_time - before;
          END IF;
          IF magic_offset(zone, local_time - after) = after THEN RETURN local_time - after; END IF;
          RETURN local_time - before;
        END
        """),
    ]
  }

  private static var calendar: [String] {
    [
      // The days from 2001-01-01. See https://howardhinnant.github.io/date_algorithms.html
      block(
        "magic_days(year bigint, month bigint, day bigint)", "bigint",
        """
        DECLARE
          shifted bigint := CASE WHEN month <= 2 THEN year - 1 ELSE year END;
          era bigint := magic_quotient(shifted, 400);
          year_of_era bigint := magic_rest(shifted, 400);
          day_of_year bigint :=
            (153 * CASE WHEN month > 2 THEN month - 3 ELSE month + 9 END + 2) / 5 + day - 1;
        BEGIN
          RETURN era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100
            + day_of_year - 719468 - 11323;
        END
        """),
      block(
        "magic_civil(days bigint, OUT year bigint, OUT month bigint, OUT day bigint)", "record",
        """
        DECLARE
          era bigint := magic_quotient(days + 11323 + 719468, 146097);
          day_of_era bigint := magic_rest(days + 11323 + 719468, 146097);
          year_of_era bigint := (day_of_era - day_of_era / 1460 + day_of_era / 36524
            - day_of_era / 146096) / 365;
          day_of_year bigint :=
            day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
          shifted bigint := (5 * day_of_year + 2) / 153;
        BEGIN
          month := CASE WHEN shifted < 10 THEN shifted + 3 ELSE shifted - 9 END;
          year := year_of_era + era * 400 + CASE WHEN month <= 2 THEN 1 ELSE 0 END;
          day := day_of_year - (153 * shifted + 2) / 5 + 1;
        END
        """),
    ]
  }

  private static var datePart: String {
    block(
      "magic_date_part(date double precision, unit integer, zone bigint[])", "bigint",
      isStrict: false,
      """
      DECLARE
        moment bigint;
        days bigint;
        second bigint;
      BEGIN
        IF date IS NULL OR abs(date) >= 1e14 THEN RETURN NULL; END IF;
        moment := (-ceil(-date))::bigint;
        moment := moment + magic_offset(zone, moment);
        days := magic_quotient(moment, 86400);
        second := magic_rest(moment, 86400);
        RETURN CASE unit
          WHEN 0 THEN (magic_civil(days)).year WHEN 1 THEN (magic_civil(days)).month
          WHEN 3 THEN (magic_civil(days)).day WHEN 4 THEN second / 3600
          WHEN 5 THEN second / 60 % 60 WHEN 6 THEN second % 60
          WHEN 7 THEN magic_rest(days + 1, 7) + 1 END;
      END
      """)
  }

  private static var dateStart: String {
    block(
      "magic_date_start(date double precision, unit integer, zone bigint[])", "double precision",
      isStrict: false,
      """
      DECLARE
        moment bigint;
        local_time bigint;
        days bigint;
        civil record;
      BEGIN
        IF date IS NULL OR abs(date) >= 1e14 THEN RETURN NULL; END IF;
        moment := (-ceil(-date))::bigint;
        local_time := moment + magic_offset(zone, moment);
        IF unit IN (4, 5, 6) THEN
          RETURN moment - magic_rest(local_time, CASE unit WHEN 4 THEN 3600 WHEN 5 THEN 60 ELSE 1 END);
        END IF;
        days := magic_quotient(local_time, 86400);
        SELECT * INTO civil FROM magic_civil(days);
        days := CASE unit
          WHEN 0 THEN magic_days(civil.year, 1, 1) WHEN 1 THEN magic_days(civil.year, civil.month, 1)
          WHEN 2 THEN days - magic_rest(days, 7) ELSE days END;
        RETURN magic_time(zone, days * 86400, NULL);
      END
      """)
  }

  private static var dateAdd: String {
    block(
      "magic_date_add(date double precision, count bigint, unit integer, zone bigint[])",
      "double precision", isStrict: false,
      """
      DECLARE
        moment bigint;
        zone_offset bigint;
        days bigint;
        second bigint;
        civil record;
        months bigint;
        first_day bigint;
        next_month bigint;
      BEGIN
        IF date IS NULL OR count IS NULL OR abs(date) >= 1e14
          OR count NOT BETWEEN -99999999999999 AND 99999999999999 THEN RETURN NULL; END IF;
        IF unit IN (4, 5, 6) THEN
          RETURN date + count::double precision
            * CASE unit WHEN 4 THEN 3600 WHEN 5 THEN 60 ELSE 1 END;
        END IF;
        moment := (-ceil(-date))::bigint;
        zone_offset := magic_offset(zone, moment);
        days := magic_quotient(moment + zone_offset, 86400);
        second := magic_rest(moment + zone_offset, 86400);
        IF unit IN (0, 1) THEN
          SELECT * INTO civil FROM magic_civil(days);
          months := civil.year * 12 + civil.month - 1 + count * CASE unit WHEN 0 THEN 12 ELSE 1 END;
          first_day := magic_days(magic_quotient(months, 12), magic_rest(months, 12) + 1, 1);
          next_month := magic_days(magic_quotient(months + 1, 12), magic_rest(months + 1, 12) + 1, 1);
          days := first_day + least(civil.day, next_month - first_day) - 1;
        ELSE
          days := days + count * CASE unit WHEN 2 THEN 7 ELSE 1 END;
        END IF;
        IF abs(days)::double precision * 86400 >= 1e14 THEN RETURN NULL; END IF;
        RETURN magic_time(zone, days * 86400 + second, zone_offset)::double precision
          + (date - moment::double precision);
      END
      """)
  }
}
