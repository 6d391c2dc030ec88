//! Tables by python-blosc2: queries leave the rows that the reference's values say.

mod common;

use common::{context, ids, metric, run, scripted};

#[tokio::test]
#[ignore = "takes a Python with blosc2: B2ND_PYTHON=… cargo test -- --ignored"]
async fn queries_leave_the_rows_of_the_reference() {
    let folder = scripted("tables.py", "reference");
    let cases = std::fs::read_to_string(folder.join("cases.jsonl")).unwrap();
    let context = context();
    let (mut queries, mut rows) = (0, 0);
    for case in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(case).unwrap();
        let [table, filter] = ["table", "where"].map(|name| case[name].as_str().unwrap());
        let query = format!("SELECT * FROM '{}' WHERE {filter}", folder.join(table).display());
        let found = match run(&context, &query).await {
            Ok((found, _)) => ids(&found),
            Err(error) => panic!("{table}: {filter}: {error}"),
        };
        let expected: Vec<i64> =
            case["ids"].as_array().unwrap().iter().map(|id| id.as_i64().unwrap()).collect();
        assert_eq!(found, expected, "{table}: {filter}");
        (queries, rows) = (queries + 1, rows + found.len());
    }
    println!("{queries} queries, {rows} rows");
    assert!(queries == 800 && rows > 10_000);
    let path = folder.join("large.b2z");
    let query = format!("SELECT id, x, name FROM '{}' WHERE id BETWEEN 777000 AND 777099", path.display());
    let (found, plan) = run(&context, &query).await.unwrap();
    assert_eq!(ids(&found), (777_000..777_100).collect::<Vec<_>>());
    let (bytes, size) = (metric(&plan, "bytes_scanned"), std::fs::metadata(&path).unwrap().len() as usize);
    println!("{bytes} of {size} bytes");
    assert!(bytes * 20 < size, "{bytes} of {size} bytes");
}
