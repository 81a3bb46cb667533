import { expect, it } from "vitest";
import { hasFormat } from "./formats.ts";

it.each<[format: string, good: string[], bad: string[]]>([
  ["date", ["2024-02-29"], ["2023-02-29", "2024-13-01", "24-01-01"]],
  [
    "date-time",
    ["2024-02-29T23:59:59Z", "2024-01-01t00:00:00.123+02:00"],
    ["2024-02-30T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01"],
  ],
  ["duration", ["0", "1h30m", "1.5s", "-10ms", "2 days"], ["", "1", "1x", "h"]],
  ["byte", ["YQ==", "YWI="], ["", "YQ", "Y?=="]],
  ["ipv4", ["10.0.0.1"], ["10.0.0.256", "10.0.0", "01.2.3.4"]],
  [
    "ipv6",
    ["::", "fe80::1", "1:2:3:4:5:6:7:8", "::ffff:10.0.0.1"],
    ["1::2::3", "12345::", "1:2:3:4:5:6:7", "10.0.0.1"],
  ],
  ["cidr", ["10.0.0.0/8", "fd00::/64"], ["10.0.0.0/33", "10.0.0.0", "10.0.0.0/08"]],
  ["uri", ["https://example.test/a", "/a"], ["example", ""]],
  ["hostname", ["a.example", "localhost"], ["-a", "a_b"]],
  ["email", ["a@example.test"], ["a", "a b@c"]],
  ["uuid", ["9b4b4e0e-8a29-4d2f-9c3d-1f3f0a0d9a11"], ["9b4b4e0e"]],
  ["uuid4", ["9b4b4e0e-8a29-4d2f-9c3d-1f3f0a0d9a11"], ["9b4b4e0e-8a29-1d2f-9c3d-1f3f0a0d9a11"]],
  ["mac", ["00:1b:44:11:3a:b7"], ["00:1b"]],
  ["something-else", ["anything"], []],
])("%s", (format, good, bad) => {
  expect(good.filter((value) => !hasFormat(format, value))).toEqual([]);
  expect(bad.filter((value) => hasFormat(format, value))).toEqual([]);
});
