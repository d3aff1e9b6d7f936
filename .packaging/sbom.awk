# sbom.awk: parts.txt as a bill of materials in SPDX 2.3 (JSON). The same input gives the same bytes.
# Usage: awk -v name= -v version= -v day=YYYY-MM-DD -v sum=SHA256 -f sbom.awk parts.txt
function relate(from, how, to) {
	relations = relations sprintf("%s    {\"spdxElementId\": \"SPDXRef-%s\", \"relationshipType\": \"%s\", \"relatedSpdxElement\": \"SPDXRef-%s\"}",
		relations == "" ? "" : ",\n", from, how, to)
}

BEGIN {
	FS = "\t"
	printf "{\n  \"spdxVersion\": \"SPDX-2.3\",\n  \"dataLicense\": \"CC0-1.0\",\n  \"SPDXID\": \"SPDXRef-DOCUMENT\",\n"
	printf "  \"name\": \"%s-%s\",\n", name, version
	printf "  \"documentNamespace\": \"https://spdx.org/spdxdocs/%s-%s-%s\",\n", name, version, sum
	printf "  \"creationInfo\": {\"created\": \"%sT00:00:00Z\", \"creators\": [\"Organization: %s maintainers\"]},\n", day, name
	printf "  \"packages\": [\n    {\"SPDXID\": \"SPDXRef-%s\", \"name\": \"%s\", \"versionInfo\": \"%s\",", name, name, version
	printf " \"packageFileName\": \"%s-%s.tar.gz\", \"downloadLocation\": \"NOASSERTION\",", name, version
	printf " \"filesAnalyzed\": false, \"checksums\": [{\"algorithm\": \"SHA256\", \"checksumValue\": \"%s\"}],", sum
	printf " \"licenseConcluded\": \"Apache-2.0\", \"licenseDeclared\": \"Apache-2.0\", \"copyrightText\": \"NOASSERTION\"}"
	printf ",\n    {\"SPDXID\": \"SPDXRef-%s-static\", \"name\": \"%s-static\", \"versionInfo\": \"%s\",", name, name, version
	printf " \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\","
	printf " \"licenseDeclared\": \"Apache-2.0\", \"copyrightText\": \"NOASSERTION\", \"comment\": \"what make static builds\"}"
	relate("DOCUMENT", "DESCRIBES", name)
	relate(name "-static", "VARIANT_OF", name)
}
/^#/ || NF < 5 { next }
{
	printf ",\n    {\"SPDXID\": \"SPDXRef-%s\", \"name\": \"%s\", \"downloadLocation\": \"%s\", \"filesAnalyzed\": false,", $1, $1, $4
	printf " \"licenseConcluded\": \"%s\", \"licenseDeclared\": \"%s\", \"copyrightText\": \"NOASSERTION\", \"comment\": \"%s\"}", $3, $3, $5
	if ($2 != "static")
		relate(name, $2 == "contains" ? "CONTAINS" : "DYNAMIC_LINK", $1)
	if ($2 != "contains")
		relate(name "-static", "STATIC_LINK", $1)
}
END { printf "\n  ],\n  \"relationships\": [\n%s\n  ]\n}\n", relations }
