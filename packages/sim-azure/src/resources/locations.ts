import { refusal } from "../arm/refusals.ts";

/** A region. */
export interface Location {
  readonly name: string;
  readonly displayName: string;
  /** Availability zones, by which machines are spread. */
  readonly zones: readonly string[];
}

const location = (displayName: string, zones: readonly string[] = ["1", "2", "3"]): Location => ({
  name: displayName.replaceAll(/[ ()]/g, "").toLowerCase(),
  displayName,
  zones,
});

/** Those without zones stand for the older and smaller regions. */
export const locations: readonly Location[] = [
  location("East US"),
  location("East US 2"),
  location("Central US"),
  location("South Central US"),
  location("West US 2"),
  location("West US 3"),
  location("West US", []),
  location("North Central US", []),
  location("Canada Central"),
  location("Canada East", []),
  location("North Europe"),
  location("West Europe"),
  location("UK South"),
  location("UK West", []),
  location("France Central"),
  location("Germany West Central"),
  location("Sweden Central"),
  location("Switzerland North"),
  location("Australia East"),
  location("Southeast Asia"),
  location("East Asia"),
  location("Japan East"),
  location("Japan West", []),
  location("Central India"),
  location("Brazil South"),
];

/** The region that is named by its name or by what people call it. */
export const locationOf = (name: string): Location => {
  const wanted = name.replaceAll(" ", "").toLowerCase();
  const found = locations.find((candidate) => candidate.name === wanted);
  if (found !== undefined) return found;
  throw refusal(
    400,
    "LocationNotAvailableForResourceType",
    `The provided location '${name}' is not available. List of available regions is '${locations.map(({ name: known }) => known).join(",")}'.`,
    "location",
  );
};
