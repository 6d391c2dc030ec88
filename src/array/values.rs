//! Values with a shape.

#[cfg(feature = "ndarray")]
use crate::base::Error;
use crate::base::{ArgumentError, Result, times};
use alloc::vec::Vec;

/// Values in C order with a shape.
///
/// ```
/// use b2nd::array::Values;
/// let values = Values::new(vec![2, 3], vec![1, 2, 3, 4, 5, 6])?;
/// assert_eq!((values.shape(), values.get(&[1, 0])), (&[2, 3][..], Some(&4)));
/// assert_eq!((&values).into_iter().sum::<i32>(), 21);
/// assert_eq!(values.into_vec().len(), 6);
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values<T> {
    shape: Vec<u64>,
    values: Vec<T>,
}

impl<T> Values<T> {
    /// Combines values with their shape.
    ///
    /// ```
    /// assert!(b2nd::array::Values::new(vec![2, 2], vec![1, 2, 3]).is_err());
    /// ```
    ///
    /// # Errors
    /// `Argument` if the number of values does not match the shape.
    pub fn new(shape: Vec<u64>, values: Vec<T>) -> Result<Self> {
        let wanted = count(&shape);
        if wanted == Some(values.len() as u64) {
            return Ok(Self { shape, values });
        }
        let (expected, actual) = (wanted.unwrap_or(u64::MAX), values.len() as u64);
        Err(ArgumentError::ValueCount { expected, actual }.into())
    }

    /// The number of values along each axis.
    ///
    /// ```
    /// # let values = b2nd::array::Values::new(vec![2, 2], vec![1, 2, 3, 4]).unwrap();
    /// assert_eq!(values.shape(), [2, 2]);
    /// ```
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// All of them, in C order.
    ///
    /// ```
    /// # let values = b2nd::array::Values::new(vec![2, 2], vec![1, 2, 3, 4]).unwrap();
    /// assert_eq!(values.as_slice(), [1, 2, 3, 4]);
    /// ```
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }

    /// All of them, in C order.
    ///
    /// ```
    /// # let values = b2nd::array::Values::new(vec![2, 2], vec![1, 2, 3, 4]).unwrap();
    /// assert_eq!(values.into_vec(), [1, 2, 3, 4]);
    /// ```
    pub fn into_vec(self) -> Vec<T> {
        self.values
    }

    /// The value at a position, or `None` if that is outside of the shape.
    ///
    /// ```
    /// # let values = b2nd::array::Values::new(vec![2, 2], vec![1, 2, 3, 4]).unwrap();
    /// assert_eq!((values.get(&[1, 0]), values.get(&[2, 0])), (Some(&3), None));
    /// ```
    pub fn get(&self, position: &[u64]) -> Option<&T> {
        if position.len() != self.shape.len() {
            return None;
        }
        let mut number = 0;
        for (&at, &len) in position.iter().zip(&self.shape) {
            number = (at < len).then_some(number * len + at)?;
        }
        self.values.get(number as usize)
    }
}

/// The values in C order.
impl<T> IntoIterator for Values<T> {
    type Item = T;
    type IntoIter = alloc::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.into_iter()
    }
}

/// The values in C order.
impl<'a, T> IntoIterator for &'a Values<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.iter()
    }
}

/// The number of items of a shape, or `None` if it overflows.
fn count(shape: &[u64]) -> Option<u64> {
    shape.iter().try_fold(1, |count, &len| times(count, len))
}

/// With the feature `ndarray`.
#[cfg(feature = "ndarray")]
impl<T> TryFrom<Values<T>> for ndarray::ArrayD<T> {
    type Error = Error;

    /// Moves the values.
    ///
    /// # Errors
    /// `Argument` for shapes that ndarray does not support: an empty shape whose non-zero lengths have a product of 2⁶³ or
    /// more.
    fn try_from(values: Values<T>) -> Result<Self> {
        let actual = values.values.len() as u64;
        let shape: Option<Vec<usize>> = values.shape.iter().map(|&len| len.try_into().ok()).collect();
        shape
            .and_then(|shape| Self::from_shape_vec(shape, values.values).ok())
            .ok_or_else(|| ArgumentError::ValueCount { expected: u64::MAX, actual }.into())
    }
}

/// With the feature `ndarray`.
#[cfg(feature = "ndarray")]
impl<T, S, D> From<&ndarray::ArrayBase<S, D>> for Values<T>
where
    T: Clone,
    S: ndarray::Data<Elem = T>,
    D: ndarray::Dimension,
{
    /// Copies the values to C order, whatever their order in memory.
    fn from(array: &ndarray::ArrayBase<S, D>) -> Self {
        let shape = array.shape().iter().map(|&len| len as u64).collect();
        Self { shape, values: array.iter().cloned().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::ToString, vec};

    #[test]
    fn number_of_values_must_match_the_shape() {
        let error = Values::new(vec![2, 3], vec![0_u8; 5]).unwrap_err();
        assert_eq!(error.to_string(), "5 values for a shape of 6");
        assert!(Values::new(vec![1 << 63, 4], vec![0_u8; 0]).is_err());
        assert!(Values::new(vec![1 << 62, 0, 4], vec![0_u8; 0]).is_ok());
        let scalar = Values::new(vec![], vec![7]).unwrap();
        assert_eq!((scalar.get(&[]), scalar.get(&[0])), (Some(&7), None));
        let table = Values::new(vec![2, 2], vec![1, 2, 3, 4]).unwrap();
        assert_eq!(
            [[0, 1], [1, 1], [0, 2], [2, 0]].map(|at| table.get(&at).copied()),
            [Some(2), Some(4), None, None]
        );
    }

    #[cfg(feature = "ndarray")]
    #[test]
    fn conversion_to_ndarray_and_back() {
        use ndarray::{Array2, ArrayD};
        let table = Values::new(vec![2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
        let array = ArrayD::try_from(table.clone()).unwrap();
        assert_eq!((array.shape(), array[[1, 0]]), (&[2, 3][..], 4));
        assert_eq!(Values::from(&array), table);
        // Another order in memory, and a view with gaps.
        let turned = array.t();
        assert_eq!(Values::from(&turned), Values::new(vec![3, 2], vec![1, 4, 2, 5, 3, 6]).unwrap());
        let columns: Array2<i32> = array.into_dimensionality().unwrap();
        let ends = columns.slice(ndarray::s![.., ..;2]);
        assert_eq!(Values::from(&ends), Values::new(vec![2, 2], vec![1, 3, 4, 6]).unwrap());
        let impossible = Values::new(vec![1 << 62, 1 << 62, 0], vec![0_u8; 0]);
        assert!(impossible.and_then(ArrayD::try_from).is_err());
    }
}
