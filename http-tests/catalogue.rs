//! The catalogue, and the schema of options.

use serde_json::{Value, json};

use super::support::{DOCUMENT, Server};

const RULESETS: [&str; 2] = ["industrial-waste", "ecopolis"];

#[test]
fn the_catalogue_names_everything_in_both_languages() {
    let server = Server::start();
    for ruleset in RULESETS {
        let path = format!("/v1/rulesets/{ruleset}/catalogue");
        let get = |lang: &str| server.send("GET", &path).header("Accept-Language", lang).go();
        let (english, italian) = (get("en"), get("it"));
        assert_eq!(italian.header("content-language"), Some("it"));
        let tag = english.header("etag").unwrap().to_owned();
        assert!(tag.starts_with('"') && tag != italian.header("etag").unwrap(), "{tag}");
        assert_eq!(server.send("GET", &path).header("If-None-Match", &tag).go().status, 304);
        let (english, italian) = (english.json(), italian.json());
        assert_eq!(english["cards"][0]["id"], italian["cards"][0]["id"]);
        assert_ne!(english["cards"][0]["name"], italian["cards"][0]["name"]);
        let version = english["rules_version"].as_u64().unwrap();
        server.get(&format!("{path}?version={version}")).expect(200);
        server.get(&format!("{path}?version=99")).problem(404, "not_found");
        server.get(&format!("{path}?version=0")).problem(400, "malformed");
    }
    server.get("/v1/rulesets/chess/catalogue").problem(404, "not_found");
    let ecopolis = server.get("/v1/rulesets/ecopolis/catalogue").expect(200);
    let count = |list: &str| ecopolis[list].as_array().unwrap().len();
    assert_eq!((count("squares"), count("areas"), count("territories"), count("events")), (40, 8, 24, 12));
    let carpi =
        ecopolis["territories"].as_array().unwrap().iter().find(|place| place["id"] == "carpi").unwrap();
    assert_eq!(
        (&carpi["price"], &carpi["area"], &carpi["rents"][4]),
        (&json!(900), &json!("pianura_secchia"), &json!(1_000))
    );
    let square = usize::try_from(carpi["square"].as_u64().unwrap()).unwrap();
    assert_eq!(ecopolis["squares"][square]["territory"], "carpi");
}

/// The schema accepts exactly the bodies that the service accepts.
#[test]
fn the_schema_of_the_options_is_that_of_the_request() {
    let server = Server::start();
    let ada = server.player("Ada");
    for ruleset in RULESETS {
        let schema = server.get(&format!("/v1/rulesets/{ruleset}")).expect(200)["options"].clone();
        assert!(!schema.to_string().contains("$ref"), "it is complete in itself");
        let fields = schema["properties"].as_object().unwrap();
        assert!(
            fields.values().all(|field| field.get("default").is_some() && field["title"].is_string()),
            "{schema}"
        );
        let italian =
            server.send("GET", &format!("/v1/rulesets/{ruleset}")).header("Accept-Language", "it").go();
        assert_ne!(
            italian.json()["options"]["properties"]["max_rounds"]["title"],
            fields["max_rounds"]["title"]
        );
        let length = &fields[if ruleset == "ecopolis" { "length" } else { "max_rounds" }];
        assert_eq!(length["anyOf"][0]["title"], "Short", "{length}");
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let open = fields.keys().find(|field| field.starts_with("open_")).unwrap().as_str();
        let options = [
            json!({}),
            json!({"max_rounds": 1}),
            json!({"max_rounds": 200, "first_seat": 3}),
            json!({"first_seat": null}),
            json!({open: true}),
            json!({"max_rounds": 0}),
            json!({"max_rounds": 201}),
            json!({"max_rounds": "1"}),
            json!({"max_rounds": null}),
            json!({"first_seat": 4}),
            json!({"first_seat": -1}),
            json!({"first_seat": "0"}),
            json!({open: null}),
            json!({open: 1}),
            json!({"unheard_of": 1}),
            json!([]),
        ];
        for options in options {
            let sent = json!({"ruleset": ruleset, "seats": 4, "options": options});
            let taken = ada.post("/v1/games", &sent).status == 201;
            assert_eq!(validator.is_valid(&options), taken, "{ruleset} {options}");
        }
        let defaults: Value = fields
            .iter()
            .map(|(name, field)| (name.clone(), field["default"].clone()))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let game = ada.post("/v1/games", &json!({"ruleset": ruleset, "seats": 2})).expect(201);
        assert_eq!(game["options"], defaults);
    }
}

/// The catalogue names every field of a state.
#[test]
fn the_fields_of_a_state_have_names() {
    fn fields<'d>(schemas: &'d Value, schema: &'d Value, seen: &mut Vec<&'d str>, found: &mut Vec<&'d str>) {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next())
            && !seen.contains(&name)
        {
            seen.push(name);
            fields(schemas, &schemas[name], seen, found);
        }
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            found.push(name);
            fields(schemas, field, seen, found);
        }
        let parts = schema["oneOf"].as_array().into_iter().flatten();
        parts.chain(schema.get("items")).for_each(|part| fields(schemas, part, seen, found));
    }
    let schemas = &DOCUMENT["components"]["schemas"];
    let server = Server::start();
    for ruleset in RULESETS {
        let catalogue = server.get(&format!("/v1/rulesets/{ruleset}/catalogue")).expect(200);
        let named: Vec<&str> =
            catalogue["fields"].as_array().unwrap().iter().filter_map(|field| field["id"].as_str()).collect();
        let mut found = Vec::new();
        let state = &schemas[format!("{}.State", ruleset.replace('-', "_"))];
        fields(schemas, state, &mut Vec::new(), &mut found);
        found.sort_unstable();
        found.dedup();
        assert_eq!(named, found, "{ruleset}");
    }
}
