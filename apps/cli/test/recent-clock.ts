export { recentClock } from "@capstan/testing";
