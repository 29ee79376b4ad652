//! Joins the modules of the page into few files. Each module becomes a function that returns its exports, in
//! the order of the imports. The modules therefore have no cycles, and export no variables.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use super::{FILES, kind, sent};

/// Entries of the bundles. The first is loaded with the page, the others when they are imported. They use
/// the modules of the first.
pub const ENTRIES: [&str; 3] = ["main.js", "check/page.js", "admin/page.js"];

/// A module without its import and export statements.
struct Module {
    /// Imported names, as patterns such as `a` or `a:b`, with the path of their module.
    imports: Vec<(String, String)>,
    exports: Vec<String>,
    body: String,
}

/// Returns the script of an entry.
pub fn script(entry: &str) -> Option<String> {
    let modules: BTreeMap<&str, Module> = FILES
        .iter()
        .filter(|(path, _)| kind(path).contains("javascript"))
        .map(|(path, text)| (*path, Module::read(path, text)))
        .collect();
    let (first, order) = (closure(&modules, ENTRIES[0]), closure(&modules, entry));
    let is_first = entry == ENTRIES[0];
    let known: BTreeSet<&str> = if is_first { BTreeSet::new() } else { first.iter().copied().collect() };
    let mut script = String::new();
    if !is_first {
        let used: BTreeSet<String> = order
            .iter()
            .filter(|path| !known.contains(*path))
            .filter_map(|path| modules.get(path))
            .flat_map(|module| module.imports.iter().map(|(_, from)| from.as_str()))
            .filter(|from| known.contains(from))
            .map(name)
            .collect();
        let used: Vec<String> = used.into_iter().collect();
        let up = "../".repeat(entry.matches('/').count());
        let _ = writeln!(script, "import{{{}}}from'{up}{}'", used.join(","), ENTRIES[0]);
    }
    for path in order.iter().filter(|path| !known.contains(*path)) {
        modules.get(path)?.write(path, &mut script);
    }
    if is_first {
        let all: Vec<String> = order.iter().map(|path| name(path)).collect();
        let _ = writeln!(script, "export{{{}}}", all.join(","));
    } else {
        let _ = writeln!(script, "export const{{{}}}={}", modules.get(entry)?.exports.join(","), name(entry));
    }
    Some(script)
}

/// Returns the style sheet: those of the page, in the order of [`FILES`].
pub fn style() -> String {
    FILES.iter().filter(|(path, _)| kind(path).contains("css")).map(|(_, text)| sent(text)).collect()
}

/// Returns a module and those that it imports, which come first.
fn closure<'a>(modules: &BTreeMap<&'a str, Module>, entry: &str) -> Vec<&'a str> {
    let mut order = Vec::new();
    visit(modules, entry, &mut BTreeSet::new(), &mut order);
    order
}

fn visit<'a>(
    modules: &BTreeMap<&'a str, Module>,
    path: &str,
    seen: &mut BTreeSet<&'a str>,
    order: &mut Vec<&'a str>,
) {
    let Some((path, module)) = modules.get_key_value(path).filter(|(path, _)| seen.insert(path)) else {
        return;
    };
    for (_, from) in &module.imports {
        visit(modules, from, seen, order);
    }
    order.push(path);
}

/// Returns the name of a module in a bundle.
fn name(path: &str) -> String {
    format!("m_{}", path.trim_end_matches(".js").replace(['/', '-'], "_"))
}

impl Module {
    fn read(path: &str, text: &str) -> Self {
        let text = sent(text);
        let (mut imports, mut exports, mut body) = (Vec::new(), Vec::new(), String::new());
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(begin) = line.strip_prefix("import {") {
                let mut statement = begin.to_owned();
                while !statement.contains(" from '") {
                    match lines.next() {
                        Some(more) => {
                            statement.push(' ');
                            statement.push_str(more);
                        }
                        None => break,
                    }
                }
                let (names, from) = statement.split_once("} from '").unwrap_or_default();
                let names: Vec<String> = names
                    .split(',')
                    .map(|one| one.trim().replace(" as ", ":"))
                    .filter(|one| !one.is_empty())
                    .collect();
                imports.push((names.join(","), resolve(path, from.trim_end_matches('\''))));
                continue;
            }
            let declared = line.strip_prefix("export ");
            if let Some(declared) = declared {
                let is_name = |letter: &char| letter.is_alphanumeric() || *letter == '_' || *letter == '$';
                let words = declared
                    .split(' ')
                    .skip_while(|word| ["async", "const", "function", "class"].contains(word));
                exports.extend(words.take(1).map(|word| word.chars().take_while(is_name).collect()));
            }
            body.push_str(declared.unwrap_or(line));
            body.push('\n');
        }
        Self { imports, exports, body }
    }

    fn write(&self, path: &str, script: &mut String) {
        let _ = writeln!(script, "const {}=(()=>{{", name(path));
        for (names, from) in &self.imports {
            let _ = writeln!(script, "const{{{names}}}={};", name(from));
        }
        let _ = writeln!(script, "{}return{{{}}}\n}})();", self.body, self.exports.join(","));
    }
}

/// Returns the path of a module that is imported by another.
fn resolve(from: &str, import: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules() -> BTreeMap<&'static str, Module> {
        let scripts = FILES.iter().filter(|(path, _)| kind(path).contains("javascript"));
        scripts.map(|(path, text)| (*path, Module::read(path, text))).collect()
    }

    #[test]
    fn every_module_is_in_exactly_one_bundle_after_those_that_it_imports() {
        let modules = modules();
        let bundles: Vec<String> = ENTRIES.iter().map(|entry| script(entry).unwrap()).collect();
        for (path, module) in &modules {
            let begin = format!("const {}=(()=>{{", name(path));
            let holding: Vec<&String> = bundles.iter().filter(|bundle| bundle.contains(&begin)).collect();
            assert_eq!(holding.len(), 1, "{path}");
            let own = holding[0].find(&begin).unwrap();
            for (_, from) in &module.imports {
                assert!(modules.contains_key(from.as_str()), "{path} imports {from}");
                let other = holding[0].find(&format!("const {}=(()=>{{", name(from)));
                assert!(other.is_none_or(|other| other < own), "{path} and {from} import each other");
            }
        }
    }

    #[test]
    fn modules_have_only_statements_that_a_bundle_can_hold() {
        for (path, module) in modules() {
            for line in module.body.lines() {
                assert!(!line.starts_with("import ") && !line.starts_with("export "), "{path}: {line}");
            }
            let (_, text) = FILES.iter().find(|(known, _)| *known == path).unwrap();
            assert!(!text.contains("export let"), "{path} exports a variable, which a bundle would copy");
            assert!(
                !text.contains("export {") && !text.contains("export *"),
                "{path} exports from elsewhere"
            );
        }
    }

    #[test]
    fn imports_and_exports_become_names_of_a_function() {
        let source = "import { a, b as c } from '../base/x.js'\nimport {\n  d,\n  e,\n} from './y.js'\nexport const f = a\n\
            export async function g(h) {\n  return d\n}\nconst i = 1\n";
        let module = Module::read("home/z.js", source);
        let mut script = String::new();
        module.write("home/z.js", &mut script);
        let expected = "const m_home_z=(()=>{\nconst{a,b:c}=m_base_x;\nconst{d,e}=m_home_y;\nconst f = a\n\
            async function g(h) {\nreturn d\n}\nconst i = 1\nreturn{f,g}\n})();\n";
        assert_eq!(script, expected);
    }
}
